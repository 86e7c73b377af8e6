package demo

// karate is Zachary's karate club: who met whom outside the club, members 1 to 34.
// Member 1 is the instructor, member 34 the club's officer; when they fell out, the
// club split. W. W. Zachary, "An information flow model for conflict and fission in
// small groups", Journal of Anthropological Research 33 (1977). 78 undirected edges.
var karate = map[int64][]int64{
	1:  {2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 18, 20, 22, 32},
	2:  {3, 4, 8, 14, 18, 20, 22, 31},
	3:  {4, 8, 9, 10, 14, 28, 29, 33},
	4:  {8, 13, 14},
	5:  {7, 11},
	6:  {7, 11, 17},
	7:  {17},
	9:  {31, 33, 34},
	10: {34},
	14: {34},
	15: {33, 34},
	16: {33, 34},
	19: {33, 34},
	20: {34},
	21: {33, 34},
	23: {33, 34},
	24: {26, 28, 30, 33, 34},
	25: {26, 28, 32},
	26: {32},
	27: {30, 34},
	28: {34},
	29: {32, 34},
	30: {33, 34},
	31: {33, 34},
	32: {33, 34},
	33: {34},
}

const karateMembers = 34
