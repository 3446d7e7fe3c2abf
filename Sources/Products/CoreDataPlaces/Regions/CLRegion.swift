import Foundation
import LockKit

/// A region that a location manager monitors, known by its identifier.
open class CLRegion: NSObject, @unchecked Sendable {
    /// The name of the region, unique in the app.
    public let identifier: String
    private let flags = Locked((entry: true, exit: true))

    /// Makes a region; use ``CLCircularRegion``.
    public init(identifier: String) { self.identifier = identifier }

    /// Whether the delegate is called when the device enters; true at first.
    open var notifyOnEntry: Bool {
        get { flags.withLock { $0.entry } }
        set { flags.withLock { $0.entry = newValue } }
    }
    /// Whether the delegate is called when the device leaves; true at first.
    open var notifyOnExit: Bool {
        get { flags.withLock { $0.exit } }
        set { flags.withLock { $0.exit = newValue } }
    }

    /// Whether another region has the same identifier.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CLRegion)?.identifier == identifier }
    /// A hash of the identifier.
    open override var hash: Int { identifier.hashValue }
}

/// Whether a device is in a region.
public enum CLRegionState: Int, Sendable {
    /// No fix has come yet.
    case unknown
    /// It is inside.
    case inside
    /// It is outside.
    case outside
}
