/// The source and destination records of one mapping, as packed numbers, in the order in which they were made.
struct AssociationTable {
    private(set) var sources: [UInt64] = []
    private(set) var destinations: [UInt64] = []
    private var bySource = RecordChains()
    private var byDestination = RecordChains()

    /// Whether an object was made from several records, of which expressions see only the first.
    private(set) var hasSharedDestinations = false

    var count: Int { sources.count }

    mutating func add(_ source: UInt64, _ destination: UInt64) {
        // Places are kept in 32 bits.
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

    /// Whether the destination at a place does not occur at an earlier one.
    func isFirst(_ place: Int) -> Bool { byDestination.isFirst(place, in: destinations) }
}
