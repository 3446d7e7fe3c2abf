import CoreData
import Synchronization

/// A list of things that the browser shows, each with a number that names it in addresses: `1`, `2`.
final class NumberedList<Element: Sendable & Identifiable<String>>: Sendable {
    private let elements: Mutex<[Element]> = Mutex([])

    /// The elements, in the order in which they were added.
    var all: [Element] { elements.withLock { $0 } }

    /// Adds the element that `make` returns for its number.
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
