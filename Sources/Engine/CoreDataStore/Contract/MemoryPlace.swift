import CoreDataModeling

/// The place in memory that a store's URL represents: `/dev/null` or a name below it.
package enum MemoryPlace: Equatable {
    /// Memory that belongs to one store and is released with it: `/dev/null`.
    case own
    /// Memory that all stores of the process with the same name share, until the last of them is closed:
    /// `/dev/null/name`.
    case shared(name: String)

    /// The place in memory that a URL represents; nil for the URL of a file.
    package init?(_ url: URL) {
        guard url.isFileURL else { return nil }
        let path = url.standardizedFileURL.path
        guard path != Self.device else {
            self = .own
            return
        }
        guard path.hasPrefix(Self.device + "/") else { return nil }
        self = .shared(name: String(path.dropFirst(Self.device.count + 1)))
    }

    /// The URL for memory that belongs to one store.
    package static let url = URL(fileURLWithPath: device)

    private static let device = "/dev/null"
}
