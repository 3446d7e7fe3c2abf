import CoreData

/// Writes lines of CSV (RFC 4180): nil is an empty field, an empty text is `""`.
package enum CSVLine {
    package static func text(_ fields: [String?]) -> String {
        var line = ByteText()
        for (number, field) in fields.enumerated() {
            if number > 0 { line.append(UInt8(ascii: ",")) }
            guard var field else { continue }
            field.withUTF8 { line.append(field: UnsafeRawBufferPointer($0)) }
        }
        line.append("\r\n" as StaticString)
        return line.string
    }
}
