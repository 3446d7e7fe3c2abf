import CoreDataStore

/// What a store takes from the world around it, so that a test can decide it.
package struct Environment: Sendable {
    /// Nanoseconds since some moment, never going back: what the ages of rows are measured by.
    package var uptime: @Sendable () -> UInt64

    package init(uptime: @escaping @Sendable () -> UInt64) { self.uptime = uptime }

    /// The system's own clock.
    package static let system = Environment { DispatchTime.now().uptimeNanoseconds }
}
