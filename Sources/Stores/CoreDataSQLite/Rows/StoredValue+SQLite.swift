import CoreDataSQL
import SQLiteKit

extension StoredValue {
    /// An argument of a function of SQL; valid during the call.
    init(_ arguments: FunctionArguments, _ index: Int) {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        switch arguments.type(index) {
        case .null: self.init(tag: RowTag.null, bits: 0, bytes: none)
        case .integer:
            self.init(tag: RowTag.integer, bits: UInt64(bitPattern: arguments.int64(index)), bytes: none)
        case .real: self.init(tag: RowTag.real, bits: arguments.double(index).bitPattern, bytes: none)
        case .text: self.init(tag: RowTag.text, bits: 0, bytes: arguments.textBytes(index))
        case .blob: self.init(tag: RowTag.blob, bits: 0, bytes: arguments.blobBytes(index))
        }
    }

    /// A column of the present row; valid until the next one.
    init(_ row: Statement, _ index: Int) { self.init(row, index, of: row.columnType(index)) }

    /// A column of the present row whose type is known; valid until the next one.
    init(_ row: Statement, _ index: Int, of type: ValueType) {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        switch type {
        case .null: self.init(tag: RowTag.null, bits: 0, bytes: none)
        case .integer: self.init(tag: RowTag.integer, bits: UInt64(bitPattern: row.int64(index)), bytes: none)
        case .real: self.init(tag: RowTag.real, bits: row.double(index).bitPattern, bytes: none)
        case .text: self.init(tag: RowTag.text, bits: 0, bytes: row.textBytes(index))
        case .blob: self.init(tag: RowTag.blob, bits: 0, bytes: row.blobBytes(index))
        }
    }
}
