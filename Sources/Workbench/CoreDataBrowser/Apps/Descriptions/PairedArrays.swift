import CoreData

/// A form that parallel arrays describe, as in one of the books: section names, labels, keys, classes, arguments.
///
/// `sectionNames` has a text, perhaps empty, for each section; `rowLabels`, `rowKeys`, `rowControllers` and
/// `rowArguments` have an array for each section. An element that a shorter array lacks counts as missing.
struct PairedArrays {
    let sections: [DetailList.Section]

    init(_ root: ListNode) {
        let node = root.node("paired") ?? root
        let names = node.elements("sectionNames")
        let labels = Self.table(node, "rowLabels")
        let keys = Self.table(node, "rowKeys")
        let classes = Self.table(node, "rowControllers")
        let arguments = Self.table(node, "rowArguments")
        sections = keys.enumerated().map { section, rowKeys in
            let rows = rowKeys.enumerated().compactMap { row, key -> DetailList.Row? in
                let place = "rowKeys.\(section).\(row)"
                guard let key = key.value.string, !key.isEmpty else {
                    node.note("the row has no key", at: place)
                    return nil
                }
                guard let className = Self.at(classes, section: section, row: row)?.string, !className.isEmpty else {
                    node.note("the row of '\(key)' has no class", at: "rowControllers.\(section).\(row)")
                    return nil
                }
                let label = Self.at(labels, section: section, row: row)?.string ?? ""
                var made = DetailList.Row(key: key, label: label, className: className)
                made.values = Self.values(Self.at(arguments, section: section, row: row))
                return made
            }
            let name = names.indices.contains(section) ? names[section].value.string : nil
            return DetailList.Section(header: name.flatMap { $0.isEmpty ? nil : $0 }, rows: rows)
        }
    }

    private static func table(_ node: ListNode, _ key: String) -> [[ListNode]] {
        node.elements(key).map { row in
            guard let elements = row.value.array else {
                row.note("an array with the rows of a section is expected")
                return []
            }
            return elements.prefix(ListNode.greatestCount).map {
                ListNode($0, file: row.file, place: row.place, problems: row.problems)
            }
        }
    }

    private static func at(_ table: [[ListNode]], section: Int, row: Int) -> PropertyList? {
        guard table.indices.contains(section), table[section].indices.contains(row) else { return nil }
        return table[section][row].value
    }

    /// The values that a row's argument lists: the argument if it is an array, else the array at its key `list` or
    /// `values`.
    private static func values(_ argument: PropertyList?) -> [String] {
        let list = argument?.array ?? argument?.dictionary?["list"]?.array ?? argument?.dictionary?["values"]?.array
        return (list ?? []).prefix(ListNode.greatestCount).compactMap(\.string)
    }
}
