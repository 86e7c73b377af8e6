// Handles are the objects that callers have addresses of.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

namespace softcuda {

template <class T> class Handles {
public:
	T *add(std::shared_ptr<T> object) {
		std::lock_guard<std::mutex> hold(guard);
		return (live[object.get()] = object).get();
	}

	// get is null where an address is of none.
	std::shared_ptr<T> get(T *handle) {
		std::lock_guard<std::mutex> hold(guard);
		auto found = live.find(handle);
		return found == live.end() ? nullptr : found->second;
	}

	std::shared_ptr<T> remove(T *handle) {
		std::shared_ptr<T> object = get(handle);
		std::lock_guard<std::mutex> hold(guard);
		live.erase(handle);
		return object;
	}

private:
	std::mutex guard;
	std::unordered_map<T *, std::shared_ptr<T>> live;
};

} // namespace softcuda
