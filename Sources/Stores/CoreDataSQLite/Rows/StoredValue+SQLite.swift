import CoreDataSQL
import SQLiteKit

extension StoredValue {
    /// Reads an argument of an SQL function; valid during the call.
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

    /// Reads a column of the current row; valid until the next step.
    init(_ row: Statement, _ index: Int) { self.init(row, index, of: row.columnType(index)) }

    /// Reads a column of the current row, given its type; valid until the next step.
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
