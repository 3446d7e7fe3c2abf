/// A collection to which key paths, quantifiers and `IN` apply; the elements of a dictionary are its values.
protocol ElementList {
    var elementList: [Any?] { get }
    var elementCount: Int { get }
}

extension Array: ElementList {
    var elementList: [Any?] { map { flattened($0) } }
    var elementCount: Int { count }
}

extension Set: ElementList {
    var elementList: [Any?] { map { flattened($0.content) } }
    var elementCount: Int { count }
}

extension Hashable {
    /// The value itself, without an `AnyHashable` around it.
    fileprivate var content: Any { (self as AnyHashable).base }
}

extension Dictionary: ElementList {
    var elementList: [Any?] { values.map { flattened($0) } }
    var elementCount: Int { count }
}

extension NSArray: ElementList {
    var elementList: [Any?] { (0..<count).map { object(at: $0) } }
    var elementCount: Int { count }
}

extension NSSet: ElementList {
    var elementList: [Any?] { allObjects }
    var elementCount: Int { count }
}

extension NSOrderedSet: ElementList {
    var elementList: [Any?] { (0..<count).map { object(at: $0) } }
    var elementCount: Int { count }
}

extension NSDictionary: ElementList {
    var elementList: [Any?] { allValues }
    var elementCount: Int { count }
}

/// The elements of a value; nil if it is not a collection.
package func elements(of value: Any?) -> [Any?]? {
    guard let value, type(of: value) != String.self else { return nil }
    return (value as? any ElementList)?.elementList
}

/// Replaces each list among the values by its elements, one level deep; a dictionary is not a list here.
func spread(_ values: [Any?]) -> [Any?] {
    values.flatMap { value in isList(value) ? elements(of: value) ?? [value] : [value] }
}

/// Whether a value is a collection other than a dictionary.
func isList(_ value: Any?) -> Bool {
    guard let value, type(of: value) != String.self else { return false }
    return !isDictionary(value) && value is any ElementList
}

/// An object that reports which of its keys are attributes: key paths treat a list in an attribute as one value.
package protocol AttributeHolder {
    func isAttribute(_ key: String) -> Bool
}

func isDictionary(_ value: Any) -> Bool {
    value is any StringKeyed
}

/// A dictionary, whose values key paths read by string keys.
protocol StringKeyed {
    func namedValue(_ key: String) -> Any?
}

extension Dictionary: StringKeyed {
    func namedValue(_ key: String) -> Any? {
        guard let key = key as? Key, let value = self[key] else { return nil }
        return flattened(value)
    }
}

extension NSDictionary: StringKeyed {
    func namedValue(_ key: String) -> Any? { object(forKey: key) }
}
