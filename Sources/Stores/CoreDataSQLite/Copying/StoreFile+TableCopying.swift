import CoreDataSQL
import SQLiteKit

extension StoreFile: TableCopying {
    package static func tableSource(at url: URL, of model: NSManagedObjectModel) throws -> any TableSource {
        try FileTableSource(at: url, of: model)
    }

    package static func tableTarget(at url: URL, for model: NSManagedObjectModel) throws -> any TableTarget {
        guard !FileManager.default.fileExists(atPath: url.path) else {
            throw StoreErrors.unusable(
                url, "there is something already", hint: "Choose another place, or remove it first.")
        }
        return FileTableTarget(at: url, for: model)
    }

    package static func temporary(for url: URL) -> URL { FileTableTarget.temporary(for: url) }

    /// SQLite stores 15 digits of decimals that are not 64-bit integers, and neither NaN nor the date of negative zero.
    package static func refusal(of value: StoredValue, in type: ColumnType) -> String? {
        switch (type, value.tag) {
        case (.decimal, RowTag.text):
            let digits = String(decoding: value.bytes, as: UTF8.self)
            return isKept(digits) ? nil : "SQLite keeps 15 digits"
        case (.float, RowTag.real), (.timestamp, RowTag.real):
            if value.real.isNaN { return "SQLite has no NaN" }
            return type == .timestamp && value.real == 0 && value.real.sign == .minus ? "SQLite has no date of -0" : nil
        default: return nil
        }
    }

    private static func isKept(_ digits: String) -> Bool {
        guard let number = ExactNumber.decimal(of: digits) else { return false }
        return number.isNaN || KeptDecimal.rounded(number) == number
    }
}
