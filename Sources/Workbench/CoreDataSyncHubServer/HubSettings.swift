import Foundation
import HTTPServerKit

/// Where a hub listens and stores, and its limits.
package struct HubSettings: Sendable {
    /// How clients reach a hub.
    package enum Security: Sendable {
        /// TLS 1.3, with the keys of both sides pinned.
        case pinnedKeys
        /// Plain HTTP, which the hub refuses to listen for on other addresses than those of the loopback.
        case plainOnLoopback
        /// Plain HTTP on any address: who reaches the hub reads and removes what it has.
        case plainAnywhere
    }

    /// An address or a name of this machine.
    package var host = "127.0.0.1"
    /// 0 for any.
    package var port = 0
    /// The folder that has all of the hub's data, its key included.
    package var folder: URL
    package var security = Security.pinnedKeys

    /// The most bytes of all items together.
    package var quota = 10 << 30
    /// The most bytes of an item.
    package var itemBytes = 512 << 20
    /// The most items of a group.
    package var itemsPerGroup = 100_000
    package var groups = 1_000
    /// The most changes of a group by which a client that asks gets what is new, and not all.
    package var keptChanges = 10_000

    /// The longest time that a client waits for a change, in seconds.
    package var waitSeconds = 60.0
    /// A client that sends an item more slowly than this, after the first `graceSeconds`, is not waited for.
    package var leastBytesPerSecond = 1_024.0
    package var graceSeconds = 30.0
    package var connections = ServerLimits()

    /// The usual limits, with data in a folder.
    package init(folder: URL) { self.folder = folder }
}
