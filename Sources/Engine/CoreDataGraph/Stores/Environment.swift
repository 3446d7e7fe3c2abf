import CoreDataStore

/// The functions of the system that a store uses; tests replace them.
package struct Environment: Sendable {
    /// A monotonic clock in nanoseconds, by which the ages of rows are measured.
    package var uptime: @Sendable () -> UInt64

    package init(uptime: @escaping @Sendable () -> UInt64) { self.uptime = uptime }

    /// The system's own clock.
    package static let system = Environment { DispatchTime.now().uptimeNanoseconds }
}
