/// Assigns positions to the members of an ordered relationship, such that few members get a new position.
///
/// Positions are integers with gaps, beginning at 2048, as in Apple's stores. As many members as possible keep theirs:
/// those of a longest ascending subsequence. Members between two that keep their positions are spread over the gap
/// between them; if the gap is too small, the second of these two gets a new position, too.
package struct MemberPlaces {
    private static let gap: Int64 = 1024

    /// The position that all members must follow.
    private let after: Int64

    package init(after: Int64) { self.after = after }

    /// Returns the positions to write; nil if they would exceed 64 bits.
    package func changes(for members: [Int64], stored: [Int64: Int64]) -> [(member: Int64, place: Int64)]? {
        let known = members.map { stored[$0] }
        let kept = keptIndices(known)
        var changes: [(member: Int64, place: Int64)] = []
        var place = after
        var moving: [Int64] = []
        for (index, member) in members.enumerated() {
            guard kept.contains(index), let next = known[index], hasRoom(for: moving.count, between: place, and: next)
            else {
                moving.append(member)
                continue
            }
            changes += spread(moving, between: place, and: next)
            moving = []
            place = next
        }
        guard let last = append(moving, behind: place) else { return nil }
        return changes + last
    }

    /// Returns the indices of a longest ascending subsequence of the known positions greater than `after`.
    private func keptIndices(_ places: [Int64?]) -> Set<Int> {
        // `ends[n]` is the index of the last member of the sequence of n + 1 members that ends with the smallest
        // position.
        var ends: [Int] = []
        var former: [Int?] = Array(repeating: nil, count: places.count)
        for (index, place) in places.enumerated() {
            guard let place, place > after else { continue }
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if let end = places[ends[middle]], end < place { low = middle + 1 } else { high = middle }
            }
            former[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var kept: Set<Int> = []
        var next = ends.last
        while let index = next {
            kept.insert(index)
            next = former[index]
        }
        return kept
    }

    private func hasRoom(for count: Int, between low: Int64, and high: Int64) -> Bool {
        // Both are not negative, so the difference cannot overflow.
        high - low > Int64(count)
    }

    /// Returns positions at even distances within a gap that has room for them.
    private func spread(
        _ members: [Int64], between low: Int64, and high: Int64
    ) -> [(member: Int64, place: Int64)] {
        let step = (high - low) / Int64(members.count + 1)
        return members.enumerated().map { ($1, low + step * Int64($0 + 1)) }
    }

    /// Returns positions at the next multiples of the gap; nil on overflow.
    private func append(_ members: [Int64], behind last: Int64) -> [(member: Int64, place: Int64)]? {
        var place = last
        var changes: [(Int64, Int64)] = []
        for member in members {
            let next = (max(place, Self.gap) / Self.gap + 1).multipliedReportingOverflow(by: Self.gap)
            guard !next.overflow else { return nil }
            place = next.partialValue
            changes.append((member, place))
        }
        return changes
    }
}
