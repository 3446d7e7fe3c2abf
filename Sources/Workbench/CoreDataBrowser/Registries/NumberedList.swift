import CoreData
import Synchronization

/// What the browser shows of one kind, each with a number that names it in addresses: `1`, `2`.
final class NumberedList<Element: Sendable & Identifiable<String>>: Sendable {
    private let elements: Mutex<[Element]> = Mutex([])

    /// The elements, in the order in which they came.
    var all: [Element] { elements.withLock { $0 } }

    /// Adds an element, which `make` gets the number of.
    @discardableResult
    func add(_ make: (String) throws -> Element) rethrows -> Element {
        try elements.withLock { elements in
            let element = try make(String(elements.count + 1))
            elements.append(element)
            return element
        }
    }

    /// The element of a number; nil if it does not exist.
    subscript(id: String) -> Element? { all.first { $0.id == id } }
}
