/// A list in chunks of a few hundred elements, in which inserting, removing and counting look at one chunk and at the sizes
/// of the others.
///
/// Each element has a weight; what comes before a place is counted by elements or by weight.
///
/// Invariants:
/// 1. No chunk is empty or larger than `capacity`.
/// 2. `count` is the number of elements of all chunks, and a chunk's `weight` the sum of its elements' weights.
/// 3. The elements of a chunk are a value: whoever has a copy of them never sees them change.
struct ChunkList<Element> {
    final class Chunk {
        fileprivate(set) var elements: ContiguousArray<Element>
        fileprivate(set) var weight: Int

        fileprivate init(_ elements: ContiguousArray<Element>, weight: Int) {
            self.elements = elements
            self.weight = weight
        }
    }

    /// A place in a chunk.
    struct Place {
        /// The number of the chunk.
        let chunk: Int
        let offset: Int
    }

    private(set) var chunks: [Chunk] = []
    private(set) var count = 0
    private let capacity = 512

    /// A list of elements, each with its weight.
    init(_ elements: ContiguousArray<Element> = [], weight: (Element) -> Int) {
        count = elements.count
        for start in stride(from: 0, to: elements.count, by: capacity / 2) {
            let part = ContiguousArray(elements[start..<min(start + capacity / 2, elements.count)])
            chunks.append(Chunk(part, weight: part.reduce(0) { $0 + weight($1) }))
        }
    }

    subscript(index: Int) -> Element {
        let place = place(of: index)
        return chunks[place.chunk].elements[place.offset]
    }

    /// The indices of the first elements of the chunks.
    var starts: [Int] {
        var next = 0
        return chunks.map { chunk in
            defer { next += chunk.elements.count }
            return next
        }
    }

    /// Where the element with an index is; the index must be in the list.
    func place(of index: Int) -> Place {
        var rest = index
        for (number, chunk) in chunks.enumerated() {
            if rest < chunk.elements.count { return Place(chunk: number, offset: rest) }
            rest -= chunk.elements.count
        }
        stop("A list of \(count) elements has none with the index \(index).")
    }

    /// The index of an element of a chunk.
    func index(of chunk: Chunk, offset: Int) -> Int {
        var index = offset
        for other in chunks {
            if other === chunk { break }
            index += other.elements.count
        }
        return index
    }

    /// The element within which so much weight ends, its index, and the weight before it; nil behind the end.
    func element(
        atWeight weight: Int, of elementWeight: (Element) -> Int
    ) -> (element: Element, index: Int, before: Int)? {
        var (index, before) = (0, 0)
        for chunk in chunks {
            guard weight < before + chunk.weight else {
                before += chunk.weight
                index += chunk.elements.count
                continue
            }
            for element in chunk.elements {
                let next = before + elementWeight(element)
                if weight < next { return (element, index, before) }
                before = next
                index += 1
            }
        }
        return nil
    }

    /// The weight of all elements before an index.
    func weight(before index: Int, of elementWeight: (Element) -> Int) -> Int {
        var (rest, weight) = (index, 0)
        for chunk in chunks {
            guard rest < chunk.elements.count else {
                rest -= chunk.elements.count
                weight += chunk.weight
                continue
            }
            return chunk.elements[..<rest].reduce(weight) { $0 + elementWeight($1) }
        }
        return weight
    }

    /// Puts an element before the one with an index; gives its chunk, and a chunk that took over some of its elements.
    mutating func insert(
        _ element: Element, at index: Int, weight: Int, of elementWeight: (Element) -> Int
    ) -> (chunk: Chunk, split: Chunk?) {
        count += 1
        guard !chunks.isEmpty else {
            chunks = [Chunk([element], weight: weight)]
            return (chunks[0], nil)
        }
        let before = index == 0 ? Place(chunk: 0, offset: -1) : place(of: index - 1)
        let chunk = chunks[before.chunk]
        chunk.elements.insert(element, at: before.offset + 1)
        chunk.weight += weight
        guard chunk.elements.count > capacity else { return (chunk, nil) }
        let half = chunk.elements.count / 2
        let rest = ContiguousArray(chunk.elements[half...])
        chunk.elements.removeSubrange(half...)
        let split = Chunk(rest, weight: rest.reduce(0) { $0 + elementWeight($1) })
        chunk.weight -= split.weight
        chunks.insert(split, at: before.chunk + 1)
        return (chunk, split)
    }

    /// Takes out the element with an index.
    @discardableResult
    mutating func remove(at index: Int, weight: Int) -> Element {
        let place = place(of: index)
        let chunk = chunks[place.chunk]
        let element = chunk.elements.remove(at: place.offset)
        chunk.weight -= weight
        count -= 1
        if chunk.elements.isEmpty { chunks.remove(at: place.chunk) }
        return element
    }

    /// Changes the element with an index, and so its weight by an amount.
    func change(at index: Int, weightBy amount: Int, _ change: (inout Element) -> Void) {
        let place = place(of: index)
        change(&chunks[place.chunk].elements[place.offset])
        chunks[place.chunk].weight += amount
    }

    /// Changes an element of a chunk that keeps its weight.
    func change(in chunk: Chunk, at offset: Int, _ change: (inout Element) -> Void) {
        change(&chunk.elements[offset])
    }
}
