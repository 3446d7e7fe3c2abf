import CoreData
import Synchronization

/// What the browser shows of one kind, each with a name in addresses that stays the same when the program is started again.
///
/// Programs may read by an element's place in the list too, `1` for the first; nothing is changed by a place.
final class NamedList<Element: Sendable & Identifiable<String>>: Sendable {
    private let elements: Mutex<[Element]> = Mutex([])

    /// The elements, in the order in which they came.
    var all: [Element] { elements.withLock { $0 } }

    /// Adds an element, which `make` gets the name of: the one that is wished, or where another has it one with a number.
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

    /// The element of a name, or at a place; nil if it does not exist.
    subscript(id: String) -> Element? {
        let all = all
        if let named = all.first(where: { $0.id == id }) { return named }
        guard AddressName.isPlace(id), let place = Int(id), all.indices.contains(place - 1) else { return nil }
        return all[place - 1]
    }
}
