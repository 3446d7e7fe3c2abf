import CoreDataInspection

/// Lines of RFC 4180: nil is an empty field, an empty text is `""`.
enum CSVLine {
    static func text(_ fields: [String?]) -> String {
        fields.map { $0.map(field) ?? "" }.joined(separator: ",") + "\r\n"
    }

    private static func field(_ text: String) -> String {
        let needsQuotes = text.isEmpty || text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        guard needsQuotes || text.first == " " || text.last == " " else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
