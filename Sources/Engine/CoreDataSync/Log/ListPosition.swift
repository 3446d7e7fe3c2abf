/// A place in an ordered list that stays valid whatever is inserted, moved or removed around it.
///
/// The places of a list are the nodes of a tree (see Decision 0030). A step leads from a node to a run of new nodes on its left or
/// right, and to a node in that run by its offset. Runs hang together: what is inserted elsewhere never comes between nodes that
/// one transaction inserted.
package struct ListPosition: Hashable, Comparable, Sendable {
    /// The last offset in a run that the format holds, and with a minus the first.
    package static let greatestOffset: Int64 = (1 << 47) - 1

    package struct Run: Hashable, Comparable, Sendable {
        package let transaction: TransactionID
        package let number: UInt32

        package init(_ transaction: TransactionID, _ number: UInt32) {
            self.transaction = transaction
            self.number = number
        }

        package static func < (left: Run, right: Run) -> Bool {
            left.transaction == right.transaction
                ? left.number < right.number : left.transaction < right.transaction
        }
    }

    package struct Step: Hashable, Sendable {
        package let isLeft: Bool
        package let run: Run
        package let offset: Int64

        package init(isLeft: Bool, run: Run, offset: Int64) {
            self.isLeft = isLeft
            self.run = run
            self.offset = offset
        }
    }

    package let steps: [Step]

    package init(steps: [Step]) { self.steps = steps }

    package static func < (left: ListPosition, right: ListPosition) -> Bool {
        for (one, other) in zip(left.steps, right.steps) where one != other {
            if one.isLeft != other.isLeft { return one.isLeft }
            if one.run != other.run { return one.run < other.run }
            return one.offset < other.offset
        }
        // One is an ancestor of the other: it comes after what is on its left and before what is on its right.
        if left.steps.count < right.steps.count { return !right.steps[left.steps.count].isLeft }
        if left.steps.count > right.steps.count { return left.steps[right.steps.count].isLeft }
        return false
    }

    func isAncestor(of other: ListPosition) -> Bool {
        steps.count < other.steps.count && other.steps.starts(with: steps)
    }

    /// Places for a run of new nodes between two neighbours.
    ///
    /// As in Fugue, a run hangs on the right of the left neighbour, or on the left of the right one where that is below the left one.
    ///
    /// - Parameters:
    ///   - extending: The next free offset of the left neighbour's run if the author may extend it; the run then grows and the places
    ///     stay short.
    ///   - preceding: The least offset of the right neighbour's run if the author may extend that.
    package static func between(
        _ left: ListPosition?, _ right: ListPosition?, count: Int, run: Run, extending: Int64? = nil,
        preceding: Int64? = nil
    ) -> [ListPosition] {
        let offsets = 0..<Int64(count)
        if let right, let preceding, preceding > Int64(count) - greatestOffset {
            let places = right.run(offsets.map { preceding - Int64(count) + $0 })
            if let first = places.first, let last = places.last, last < right, left.map({ $0 < first }) ?? true {
                return places
            }
        }
        if let left, let right, left.isAncestor(of: right) {
            return offsets.map { ListPosition(steps: right.steps + [Step(isLeft: true, run: run, offset: $0)]) }
        }
        guard let left else {
            guard let right else {
                return offsets.map { ListPosition(steps: [Step(isLeft: false, run: run, offset: $0)]) }
            }
            return offsets.map { ListPosition(steps: right.steps + [Step(isLeft: true, run: run, offset: $0)]) }
        }
        if let extending, right.map({ !isBetween(left, $0) }) ?? true {
            return left.run(offsets.map { extending + $0 })
        }
        return offsets.map { ListPosition(steps: left.steps + [Step(isLeft: false, run: run, offset: $0)]) }
    }

    /// Places in the run of this one.
    private func run(_ offsets: [Int64]) -> [ListPosition] {
        guard let last = steps.last else { return [] }
        return offsets.map { offset in
            ListPosition(steps: steps.dropLast() + [Step(isLeft: last.isLeft, run: last.run, offset: offset)])
        }
    }

    /// Whether the right neighbour belongs to the run of the left one, so that the run cannot be extended between them.
    private static func isBetween(_ left: ListPosition, _ right: ListPosition) -> Bool {
        let index = left.steps.count - 1
        guard right.steps.count > index, left.steps[..<index] == right.steps[..<index] else { return false }
        return left.steps[index].run == right.steps[index].run
    }
}
