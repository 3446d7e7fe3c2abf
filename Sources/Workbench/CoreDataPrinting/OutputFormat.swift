/// How a result is printed.
package enum OutputFormat: String, CaseIterable {
    case table
    case json
    case csv
}
