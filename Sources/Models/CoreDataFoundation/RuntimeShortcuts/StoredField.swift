@_spi(Reflection) import Swift

/// A stored property, from the compiler's description of its class.
package struct StoredField {
    /// The offset in an object, including the header of sixteen bytes.
    package let offset: Int
    package let type: Any.Type
    /// Whether it is a word of plain bits, without references.
    let isPlainWord: Bool

    /// The size of an object's header, which is the size of an object without stored properties.
    static var firstOffset: Int { 16 }

    /// The stored properties of a class, after those of its superclasses.
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
