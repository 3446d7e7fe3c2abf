import CoreDataStore
import Synchronization

/// The reference objects of a custom store's records, and the keys that stand for them in the process.
///
/// An integer from 1 to 2⁶² - 1 is its own key; any other reference object gets the next key beyond. All stores of one
/// identity share the keys, whichever coordinator has them, so that an identifier means the same record everywhere.
/// May be used from any thread.
final class ReferenceKeys: Sendable {
    /// A reference object in the form of object URIs.
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

    /// The keys of the stores with an identity.
    static func of(storeIdentifier: String) -> ReferenceKeys {
        shared.withLock { shared in
            if let known = shared[storeIdentifier]?.object { return known }
            shared = shared.filter { $0.value.object != nil }
            let made = ReferenceKeys(storeIdentifier: storeIdentifier)
            shared[storeIdentifier] = WeakReference(made)
            return made
        }
    }

    /// The key of a reference object; a new one for one that was never seen.
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

    /// The reference object that a key stands for; nil for a key that was not given here.
    func reference(of key: Int64, in entity: NSEntityDescription) -> Reference? {
        if key > 0, key < Self.firstKey { return .integer(key) }
        return hierarchies.withLock { $0[entity.rootEntity.name ?? ""]?.references[key] }
    }
}

extension ReferenceKeys.Reference {
    /// Nil for what is neither a string nor a number.
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

    /// The reference object as the subclass gets it back.
    var object: Any {
        switch self {
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .text(let exact): exact.text
        }
    }

    /// What stands in a URI behind `p`: a text that reads like a number, or begins with a tilde, has a tilde before it.
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

    /// Reads what stands in a URI behind `p`; nil for what is written otherwise than `uriText` would.
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
