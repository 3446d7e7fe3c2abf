/// Values of cases, made by the functions that the compiler makes for each enumeration.
extension TypeShape {
    /// The value of a case without associated values, by its number in `cases(of:)`; nil for a type without such
    /// functions, as an enumeration of C.
    static func value<Value>(ofCase number: Int, _ type: Value.Type) -> Value? {
        guard isEnumeration(type), let functions = CaseFunctions(type) else { return nil }
        let metadata = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
        return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
            guard let place = buffer.baseAddress else { return nil }
            let bytes = UnsafeMutableRawPointer(place)
            bytes.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<Value>.size)
            functions.write(place, UInt32(number), metadata)
            guard functions.read(place, metadata) == UInt32(number) else { return nil }
            return place.move()
        }
    }
}

/// The functions of an enumeration that read and write which case a value is.
private struct CaseFunctions {
    let read: @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    let write: @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    /// The table before the metadata has eight functions that all types have, size and stride, flags and a count in
    /// four bytes each, and three functions for the cases.
    init?(_ type: Any.Type) {
        let word = MemoryLayout<UnsafeRawPointer>.size
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let table = metadata.load(fromByteOffset: -word, as: UnsafeRawPointer.self)
        guard table.load(fromByteOffset: 10 * word, as: UInt32.self) & Self.hasCases != 0 else { return nil }
        let cases = 10 * word + 8
        read = unsafeBitCast(
            table.load(fromByteOffset: cases, as: UnsafeRawPointer.self),
            to: (@convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32).self)
        write = unsafeBitCast(
            table.load(fromByteOffset: cases + 2 * word, as: UnsafeRawPointer.self),
            to: (@convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void).self)
    }

    private static let hasCases: UInt32 = 0x20_0000
}
