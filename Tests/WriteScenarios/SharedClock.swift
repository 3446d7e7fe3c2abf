import CoreData

/// The clock that is the same for all processes of a machine and is never set.
package enum SharedClock {
    package static var nanoseconds: Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
