import CSQLite

/// The arguments of one call of an application-defined function; valid only during the call.
package struct FunctionArguments {
    package let count: Int
    private let context: OpaquePointer
    private let values: UnsafeMutablePointer<OpaquePointer?>?

    init(context: OpaquePointer, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?) {
        self.context = context
        self.count = Int(count)
        self.values = values
    }

    package func type(_ index: Int) -> ValueType {
        argument(index).map { ValueType(code: sqlite3_value_type($0)) } ?? .null
    }

    package func int64(_ index: Int) -> Int64 { argument(index).map { sqlite3_value_int64($0) } ?? 0 }

    package func double(_ index: Int) -> Double { argument(index).map { sqlite3_value_double($0) } ?? 0 }

    package func textBytes(_ index: Int) -> UnsafeRawBufferPointer {
        guard let argument = argument(index) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let start = sqlite3_value_text(argument)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(argument)))
    }

    package func blobBytes(_ index: Int) -> UnsafeRawBufferPointer {
        guard let argument = argument(index) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let start = sqlite3_value_blob(argument)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(argument)))
    }

    package subscript(index: Int) -> Value {
        switch type(index) {
        case .null: .null
        case .integer: .integer(int64(index))
        case .real: .real(double(index))
        case .text: .text(String(decoding: textBytes(index), as: UTF8.self))
        case .blob: .blob(Array(blobBytes(index)))
        }
    }

    /// An object made from an argument, such as a parsed pattern; made once per statement if the argument is constant.
    ///
    /// If the argument varies, or memory is low, it is made in every call. Each index must always have the same type.
    package func prepared<Object: AnyObject>(_ index: Int, _ make: () throws -> Object) rethrows -> Object {
        let slot = Int32(clamping: index)
        if let known = sqlite3_get_auxdata(context, slot) {
            return Unmanaged<Object>.fromOpaque(known).takeUnretainedValue()
        }
        let object = try make()
        sqlite3_set_auxdata(context, slot, Unmanaged.passRetained(object).toOpaque()) { known in
            guard let known else { return }
            Unmanaged<AnyObject>.fromOpaque(known).release()
        }
        return object
    }

    private func argument(_ index: Int) -> OpaquePointer? {
        guard index >= 0, index < count else { return nil }
        return values?[index]
    }
}
