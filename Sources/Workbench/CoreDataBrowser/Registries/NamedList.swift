import CoreData
import Synchronization

/// A list of things that the browser shows, each with a name in addresses that is the same after each start of the
/// program.
///
/// For reading, the position of an element in the list is accepted too, `1` for the first; requests that change
/// something need the name.
final class NamedList<Element: Sendable & Identifiable<String>>: Sendable {
    private let elements: Mutex<[Element]> = Mutex([])

    /// The elements, in the order in which they were added.
    var all: [Element] { elements.withLock { $0 } }

    /// Adds the element that `make` returns for its name: the given name, or that name with a number if another element
    /// has it.
    @discardableResult
    func add(_ name: String, _ make: (String) throws -> Element) rethrows -> Element {
        try elements.withLock { elements in
            var free = name
            var number = 1
            while elements.contains(where: { $0.id == free }) {
                number += 1
                free = "\(name)-\(number)"
            }
            let element = try make(free)
            elements.append(element)
            return element
        }
    }

    /// The element of a name, or else at a position; nil if it does not exist.
    subscript(id: String) -> Element? {
        let all = all
        if let named = all.first(where: { $0.id == id }) { return named }
        guard AddressName.isPlace(id), let place = Int(id), all.indices.contains(place - 1) else { return nil }
        return all[place - 1]
    }
}
