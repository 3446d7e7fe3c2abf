/// Unwraps a value from all layers of `Optional` that a cast to `Any` leaves around it; `NSNull` stays.
package func flattened(_ value: Any?) -> Any? {
    guard let value else { return nil }
    let type = type(of: value)
    // Common types are tested first: the cast to a protocol takes longer than the rest of comparing two values.
    if type == String.self || type == Int.self || type == Double.self || type == Date.self { return value }
    guard let layered = value as? any OptionalLayer else { return value }
    return flattened(layered.layerContent)
}

private protocol OptionalLayer {
    var layerContent: Any? { get }
}

extension Optional: OptionalLayer {
    fileprivate var layerContent: Any? { self }
}
