import CoreDataStore
import Synchronization

/// The reference objects of a custom store's records, and the keys that represent them in the process.
///
/// An integer from 1 to 2⁶² - 1 is its own key; any other reference object gets the next key from 2⁶² on. All stores
/// with the same identifier share the keys, in any coordinator, so that an identifier means the same record everywhere.
/// May be used from any thread.
final class ReferenceKeys: Sendable {
    /// A reference object in a form that object URIs can contain.
    enum Reference: Hashable {
        case integer(Int64)
        case real(Double)
        case text(ExactText)
    }

    private struct Hierarchy {
        var keys: [Reference: Int64] = [:]
        var references: [Int64: Reference] = [:]
    }

    private static let firstKey: Int64 = 1 << 62
    private static let shared = Mutex<[String: WeakReference<ReferenceKeys>]>([:])

    let storeIdentifier: String
    /// By the names of root entities.
    private let hierarchies = Mutex<[String: Hierarchy]>([:])

    private init(storeIdentifier: String) { self.storeIdentifier = storeIdentifier }

    /// Returns the keys of the stores with an identifier.
    static func of(storeIdentifier: String) -> ReferenceKeys {
        shared.withLock { shared in
            if let known = shared[storeIdentifier]?.object { return known }
            shared = shared.filter { $0.value.object != nil }
            let made = ReferenceKeys(storeIdentifier: storeIdentifier)
            shared[storeIdentifier] = WeakReference(made)
            return made
        }
    }

    /// Returns the key of a reference object; a new key if the object was never seen.
    func key(of reference: Reference, in entity: NSEntityDescription) -> Int64 {
        if case .integer(let number) = reference, number > 0, number < Self.firstKey { return number }
        return hierarchies.withLock { hierarchies in
            let root = entity.rootEntity.name ?? ""
            if let known = hierarchies[root]?.keys[reference] { return known }
            let key = Self.firstKey + Int64(hierarchies[root]?.keys.count ?? 0)
            hierarchies[root, default: Hierarchy()].keys[reference] = key
            hierarchies[root, default: Hierarchy()].references[key] = reference
            return key
        }
    }

    /// Returns the reference object of a key; nil for a key that was not returned here.
    func reference(of key: Int64, in entity: NSEntityDescription) -> Reference? {
        if key > 0, key < Self.firstKey { return .integer(key) }
        return hierarchies.withLock { $0[entity.rootEntity.name ?? ""]?.references[key] }
    }
}

extension ReferenceKeys.Reference {
    /// Converts a string, number, UUID or URL; nil for another object.
    init?(_ object: Any) {
        switch object {
        case let text as String: self = .text(ExactText(text))
        case let number as NSNumber:
            if let integer = Int64(exactly: number) {
                self = .integer(integer)
            } else {
                self = .real(number.doubleValue)
            }
        case let uuid as UUID: self = .text(ExactText(uuid.uuidString))
        case let url as URL: self = .text(ExactText(url.absoluteString))
        default: return nil
        }
    }

    /// The reference object in the form in which the store class receives it.
    var object: Any {
        switch self {
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .text(let exact): exact.text
        }
    }

    /// The text after `p` in a URI. A string that is empty, reads like a number or begins with a tilde gets a tilde in
    /// front.
    var uriText: String {
        switch self {
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let exact): Self.isPlain(exact.text) ? exact.text : "~" + exact.text
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("~") && Double(text) == nil
    }

    /// Reads the text after `p` in a URI; nil if it differs from what `uriText` writes.
    init?(uriText: String) {
        if uriText.hasPrefix("~") {
            self = .text(ExactText(String(uriText.dropFirst())))
        } else if let number = Int64(uriText) {
            self = .integer(number)
        } else if let number = Double(uriText) {
            self = .real(number)
        } else {
            self = .text(ExactText(uriText))
        }
        guard self.uriText == uriText else { return nil }
    }
}
