/// Which elements of a reordered list keep their places, and which get new ones.
enum ListOrder {
    /// The indexes of the longest sequence of elements that have places in ascending order.
    static func anchors(_ positions: [ListPosition?]) -> Set<Int> {
        // Patience sorting: for each length the index with the least last place.
        var tails: [Int] = []
        var previous: [Int: Int] = [:]
        for (index, position) in positions.enumerated() {
            guard let position else { continue }
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if let tail = positions[tails[middle]], tail < position { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var anchors: Set<Int> = []
        var next = tails.last
        while let index = next {
            anchors.insert(index)
            next = previous[index]
        }
        return anchors
    }

    /// New places for the elements that are no anchors, run by run.
    static func fill(
        _ positions: [ListPosition?], _ anchors: Set<Int>,
        _ between: (ListPosition?, ListPosition?, Int) throws -> [ListPosition]
    ) rethrows -> [(Int, ListPosition)] {
        var placed: [(Int, ListPosition)] = []
        var left: ListPosition?
        var start = 0
        while start < positions.count {
            if anchors.contains(start) {
                left = positions[start]
                start += 1
                continue
            }
            let end = (start..<positions.count).first { anchors.contains($0) } ?? positions.count
            let right = end < positions.count ? positions[end] : nil
            let new = try between(left, right, end - start)
            placed += zip(start..<end, new).map { ($0, $1) }
            start = end
        }
        return placed
    }
}
