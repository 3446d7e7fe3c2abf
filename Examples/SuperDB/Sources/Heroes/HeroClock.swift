import CoreData
import Synchronization

/// The time by which ages and birth dates are judged.
enum HeroClock {
    /// Guards the source of the time.
    private static let source = Mutex<@Sendable () -> Date>({ Date() })

    static var now: Date { source.withLock { $0 }() }

    /// Takes the time from elsewhere, as what is to give the same output on every day does.
    static func set(_ now: @escaping @Sendable () -> Date) { source.withLock { $0 = now } }
}
