/// How a result is printed.
enum OutputFormat: String, CaseIterable {
    case table
    case json
    case csv
}
