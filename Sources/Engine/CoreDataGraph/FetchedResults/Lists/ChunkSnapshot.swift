/// The elements of a chunk list in one state.
///
/// Groups of chunks are shared with the list and with other snapshots: after a change, a new snapshot copies one group.
struct ChunkSnapshot<Element: Sendable>: Sendable {
    /// The elements of consecutive chunks.
    final class Group: Sendable {
        let chunks: [ContiguousArray<Element>]

        init(_ chunks: [ContiguousArray<Element>]) { self.chunks = chunks }
    }

    static var chunksInGroup: Int { 32 }

    private let groups: [Group]
    /// The number and the weight of the elements before each chunk.
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

    /// All elements by chunks, each with the index of its first element.
    var chunks: some Sequence<(start: Int, elements: ContiguousArray<Element>)> {
        starts.indices.lazy.map { (starts[$0], elements(of: $0)) }
    }

    /// The chunk with the element at an index: the index of its first element, the weight before it, and its elements.
    func chunk(at index: Int) -> (start: Int, weight: Int, elements: ContiguousArray<Element>) {
        let number = starts.lastIndex(notAbove: index)
        return (starts[number], weights[number], elements(of: number))
    }

    /// The chunk with the element that contains a position counted by weight.
    func chunk(atWeight weight: Int) -> (start: Int, weight: Int, elements: ContiguousArray<Element>) {
        let number = weights.lastIndex(notAbove: weight)
        return (starts[number], weights[number], elements(of: number))
    }

    private func elements(of chunk: Int) -> ContiguousArray<Element> {
        groups[chunk / Self.chunksInGroup].chunks[chunk % Self.chunksInGroup]
    }
}
