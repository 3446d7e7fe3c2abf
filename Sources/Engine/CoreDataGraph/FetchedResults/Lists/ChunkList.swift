/// A list in chunks of a few hundred elements. Inserting, removing and counting access one chunk and the sizes of the
/// others.
///
/// Each element has a weight; positions can be counted by elements or by weight.
///
/// Invariants:
/// 1. No chunk is empty or larger than `capacity`.
/// 2. `count` is the number of elements of all chunks, and a chunk's `weight` is the sum of its elements' weights.
/// 3. `starts` and `weights` have, for each chunk, the number and the weight of the elements before it.
/// 4. The elements of a chunk are a value: a copy of them never changes.
/// 5. A group that is not nil has the current elements of its chunks.
struct ChunkList<Element: Sendable> {
    final class Chunk {
        // A list is used on one queue, and accesses do not overlap: checking each access would cost more than the
        // access itself.
        @exclusivity(unchecked) fileprivate(set) var elements: ContiguousArray<Element>
        @exclusivity(unchecked) fileprivate(set) var weight: Int

        fileprivate init(_ elements: ContiguousArray<Element>, weight: Int) {
            self.elements = elements
            self.weight = weight
        }
    }

    /// The position of an element in a chunk.
    struct Place {
        /// The index of the chunk in the list.
        let chunk: Int
        let offset: Int
    }

    private(set) var chunks: [Chunk] = []
    private(set) var count = 0
    /// The indices of the first elements of the chunks; in one array, so that a search does not read the chunks.
    private(set) var starts: [Int] = []
    private var weights: [Int] = []
    private var weight = 0
    /// The groups of chunks that snapshots share; nil for a group whose chunks have changed since.
    private var groups: [ChunkSnapshot<Element>.Group?] = []
    private let capacity = 512

    /// Makes a list of elements with the weight of each.
    init(_ elements: ContiguousArray<Element> = [], weight: (Element) -> Int) {
        count = elements.count
        for start in stride(from: 0, to: elements.count, by: capacity / 2) {
            let part = ContiguousArray(elements[start..<min(start + capacity / 2, elements.count)])
            let chunk = Chunk(part, weight: part.reduce(0) { $0 + weight($1) })
            chunks.append(chunk)
            starts.append(start)
            weights.append(self.weight)
            self.weight += chunk.weight
        }
    }

    subscript(index: Int) -> Element {
        let place = place(of: index)
        return chunks[place.chunk].elements[place.offset]
    }

    /// The position of the element with an index, which must be in the list.
    func place(of index: Int) -> Place {
        guard index >= 0, index < count else { stop("A list of \(count) elements has none with the index \(index).") }
        let chunk = starts.lastIndex(notAbove: index)
        return Place(chunk: chunk, offset: index - starts[chunk])
    }

    /// The index of the element at an offset of a chunk of the list.
    func index(of chunk: Chunk, offset: Int) -> Int {
        guard let number = chunks.firstIndex(where: { $0 === chunk }) else { stop("A chunk is none of its list.") }
        return starts[number] + offset
    }

    /// The element that contains the position `wanted`, counted by weight; its index; and the weight before it. Nil for
    /// a position behind the end.
    func element(
        atWeight wanted: Int, of elementWeight: (Element) -> Int
    ) -> (element: Element, index: Int, before: Int)? {
        guard wanted < weight else { return nil }
        let number = weights.lastIndex(notAbove: wanted)
        var (index, before) = (starts[number], weights[number])
        for element in chunks[number].elements {
            let next = before + elementWeight(element)
            if wanted < next { return (element, index, before) }
            before = next
            index += 1
        }
        return nil
    }

    /// The weight of all elements before an index.
    func weight(before index: Int, of elementWeight: (Element) -> Int) -> Int {
        guard index < count else { return weight }
        let place = place(of: index)
        return chunks[place.chunk].elements[..<place.offset].reduce(weights[place.chunk]) { $0 + elementWeight($1) }
    }

    /// Adjusts the totals after the number of a chunk's elements, or their weight, has changed.
    private mutating func resize(_ chunk: Int, count added: Int, weight addedWeight: Int) {
        forgetGroup(of: chunk)
        count += added
        weight += addedWeight
        chunks[chunk].weight += addedWeight
        for later in starts.indices.dropFirst(chunk + 1) {
            starts[later] += added
            weights[later] += addedWeight
        }
    }

    /// Inserts an element before the one with an index; returns its chunk, and a new chunk if the insertion split that
    /// chunk.
    mutating func insert(
        _ element: Element, at index: Int, weight: Int, of elementWeight: (Element) -> Int
    ) -> (chunk: Chunk, split: Chunk?) {
        guard !chunks.isEmpty else {
            self = ChunkList([element]) { _ in weight }
            return (chunks[0], nil)
        }
        let before = index == 0 ? Place(chunk: 0, offset: -1) : place(of: index - 1)
        let chunk = chunks[before.chunk]
        chunk.elements.insert(element, at: before.offset + 1)
        resize(before.chunk, count: 1, weight: weight)
        guard chunk.elements.count > capacity else { return (chunk, nil) }
        let half = chunk.elements.count / 2
        let rest = ContiguousArray(chunk.elements[half...])
        chunk.elements.removeSubrange(half...)
        let split = Chunk(rest, weight: rest.reduce(0) { $0 + elementWeight($1) })
        chunk.weight -= split.weight
        forgetGroups(from: before.chunk)
        chunks.insert(split, at: before.chunk + 1)
        starts.insert(starts[before.chunk] + half, at: before.chunk + 1)
        weights.insert(weights[before.chunk] + chunk.weight, at: before.chunk + 1)
        return (chunk, split)
    }

    /// Removes the element with an index.
    @discardableResult
    mutating func remove(at index: Int, weight: Int) -> Element {
        let place = place(of: index)
        let element = chunks[place.chunk].elements.remove(at: place.offset)
        resize(place.chunk, count: -1, weight: -weight)
        if chunks[place.chunk].elements.isEmpty {
            forgetGroups(from: place.chunk)
            chunks.remove(at: place.chunk)
            starts.remove(at: place.chunk)
            weights.remove(at: place.chunk)
        }
        return element
    }

    /// Changes the element with an index, and adds `amount` to its weight.
    mutating func change(at index: Int, weightBy amount: Int, _ change: (inout Element) -> Void) {
        let place = place(of: index)
        change(&chunks[place.chunk].elements[place.offset])
        resize(place.chunk, count: 0, weight: amount)
    }

    /// Changes an element in a chunk of the list without changing its weight.
    mutating func change(in chunk: Chunk, at offset: Int, _ change: (inout Element) -> Void) {
        change(&chunk.elements[offset])
        if let number = chunks.firstIndex(where: { $0 === chunk }) { forgetGroup(of: number) }
    }

    // MARK: Snapshots

    /// The current list, unaffected by later changes. Copies only the groups that changed since the last snapshot.
    mutating func snapshot() -> ChunkSnapshot<Element> {
        let size = ChunkSnapshot<Element>.chunksInGroup
        for start in stride(from: 0, to: chunks.count, by: size) {
            let number = start / size
            if number < groups.count, groups[number] != nil { continue }
            let group = ChunkSnapshot.Group(chunks[start..<min(start + size, chunks.count)].map(\.elements))
            if number < groups.count { groups[number] = group } else { groups.append(group) }
        }
        return ChunkSnapshot(groups: groups.compactMap { $0 }, starts: starts, weights: weights, count: count)
    }

    private mutating func forgetGroup(of chunk: Int) {
        let number = chunk / ChunkSnapshot<Element>.chunksInGroup
        if number < groups.count { groups[number] = nil }
    }

    /// Drops the groups of a chunk and of those behind it, whose indices change.
    private mutating func forgetGroups(from chunk: Int) {
        groups.removeSubrange(min(chunk / ChunkSnapshot<Element>.chunksInGroup, groups.count)...)
    }
}

extension [Int] {
    /// In ascending values, the index of the last that is at most `value`; 0 if all are greater.
    func lastIndex(notAbove value: Int) -> Int {
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle } else { high = middle }
        }
        return low
    }
}
