/// The pairs of source and destination records of one mapping, as packed record numbers in the order in which the pairs
/// were added.
struct AssociationTable {
    private(set) var sources: [UInt64] = []
    private(set) var destinations: [UInt64] = []
    private var bySource = RecordChains()
    private var byDestination = RecordChains()

    /// Whether a destination object was made of several source records; expressions see only the first of these.
    private(set) var hasSharedDestinations = false

    var count: Int { sources.count }

    mutating func add(_ source: UInt64, _ destination: UInt64) {
        // `RecordChains` stores indexes as 32-bit integers.
        guard sources.count < Int(Int32.max) else { return }
        sources.append(source)
        destinations.append(destination)
        bySource.takeLast(of: sources)
        byDestination.takeLast(of: destinations)
        if !isFirst(destinations.count - 1) { hasSharedDestinations = true }
    }

    func destinations(of source: UInt64) -> [UInt64] {
        bySource.places(of: source, in: sources).map { destinations[$0] }
    }

    func sources(of destination: UInt64) -> [UInt64] {
        byDestination.places(of: destination, in: destinations).map { sources[$0] }
    }

    /// Whether the destination at an index does not occur at an earlier index.
    func isFirst(_ place: Int) -> Bool { byDestination.isFirst(place, in: destinations) }
}
