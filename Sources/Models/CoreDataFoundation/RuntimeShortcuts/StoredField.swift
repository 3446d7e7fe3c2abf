@_spi(Reflection) import Swift

/// A stored property, as the compiler's description of its class has it.
package struct StoredField {
    /// Where it lies in an object, whose header has sixteen bytes.
    package let offset: Int
    package let type: Any.Type
    /// Whether it is a word whose bits are all there is to it: nothing is counted or known by its address.
    let isPlainWord: Bool

    /// What the header of an object fills: all of one without stored properties.
    static var firstOffset: Int { 16 }

    /// The stored properties of the classes above a class and its own, in their order.
    package static func all(of type: AnyClass) -> [StoredField] {
        var fields: [StoredField] = []
        let isClass = _EachFieldOptions(rawValue: 1)
        _forEachField(of: type, options: isClass) { _, offset, fieldType, _ in
            fields.append(StoredField(offset: offset, type: fieldType, isPlainWord: isPlainWord(fieldType)))
            return true
        }
        return fields
    }

    private static func isPlainWord<Value>(_: Value.Type) -> Bool {
        _isPOD(Value.self) && MemoryLayout<Value>.size == 8 && MemoryLayout<Value>.alignment <= 8
    }
}
