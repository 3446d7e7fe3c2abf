/// The elements of a chunk list in one state.
///
/// Chunks are shared in groups with the list and with other snapshots, so that one change leaves one group to be rebuilt.
struct ChunkSnapshot<Element: Sendable>: Sendable {
    /// The elements of some chunks that follow each other.
    final class Group: Sendable {
        let chunks: [ContiguousArray<Element>]

        init(_ chunks: [ContiguousArray<Element>]) { self.chunks = chunks }
    }

    static var chunksInGroup: Int { 32 }

    private let groups: [Group]
    /// How many elements, and how much weight, come before each chunk.
    private let starts: [Int]
    private let weights: [Int]
    let count: Int

    init(groups: [Group] = [], starts: [Int] = [], weights: [Int] = [], count: Int = 0) {
        self.groups = groups
        self.starts = starts
        self.weights = weights
        self.count = count
    }

    subscript(index: Int) -> Element {
        let chunk = starts.lastIndex(notAbove: index)
        return elements(of: chunk)[index - starts[chunk]]
    }

    /// All elements, chunk by chunk, with the index of the first of each.
    var chunks: some Sequence<(start: Int, elements: ContiguousArray<Element>)> {
        starts.indices.lazy.map { (starts[$0], elements(of: $0)) }
    }

    /// The elements of the chunk that has an index, with the index of its first one and the weight before that.
    func chunk(at index: Int) -> (start: Int, weight: Int, elements: ContiguousArray<Element>) {
        let number = starts.lastIndex(notAbove: index)
        return (starts[number], weights[number], elements(of: number))
    }

    /// The elements of the chunk within which so much weight ends.
    func chunk(atWeight weight: Int) -> (start: Int, weight: Int, elements: ContiguousArray<Element>) {
        let number = weights.lastIndex(notAbove: weight)
        return (starts[number], weights[number], elements(of: number))
    }

    private func elements(of chunk: Int) -> ContiguousArray<Element> {
        groups[chunk / Self.chunksInGroup].chunks[chunk % Self.chunksInGroup]
    }
}
