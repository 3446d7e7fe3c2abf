/// A constant list of plain values; reading an element neither retains nor releases anything.
///
/// The code that creates a table must free it with `deallocate()`. An index out of bounds stops the process.
@usableFromInline
package struct ConstantTable<Element: BitwiseCopyable>: @unchecked Sendable {
    @usableFromInline let base: UnsafeMutablePointer<Element>
    @usableFromInline package let count: Int

    package init(_ elements: [Element]) {
        count = elements.count
        base = .allocate(capacity: elements.count)
        for (index, element) in elements.enumerated() { (base + index).initialize(to: element) }
    }

    @inlinable @inline(__always) package subscript(index: Int) -> Element {
        precondition(index >= 0 && index < count, "an index of a constant table is out of bounds")
        return base[index]
    }

    package func deallocate() { base.deallocate() }
}

extension ConstantTable where Element: Equatable {
    func contains(_ element: Element) -> Bool {
        for index in 0..<count where self[index] == element { return true }
        return false
    }
}
