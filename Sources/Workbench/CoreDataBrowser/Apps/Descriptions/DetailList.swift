import CoreData

/// The form that a detail list describes: sections of rows, each bound to a key of the object.
///
/// The methods take the number of a section and of a row in it, and return nil if a number is out of range.
struct DetailList: Sendable {
    struct Section: Sendable {
        var header: String?
        /// Whether there is a row for each member of a to-many relationship, with the first row as template.
        var isDynamic = false
        var rows: [Row]
        var displayKey: String?
        var sortKey: String?
        var addLabel: String?
        /// Whether a member is deleted when the user removes it; nil if the relationship's delete rule decides.
        var isOwned: Bool?
    }

    struct Row: Sendable, Equatable {
        var key: String
        var label: String
        var className: String
        var values: [String] = []
        /// Text that is shown in place of data.
        var value: String?
        /// The name of the detail list that shows the object which the row opens.
        var detail: String?
        var placeholder: String?
        var format: String?
        var emptyIsNull = false
        /// The relationship of a new member by which it names what was chosen for it.
        var through: String?
    }

    let name: String
    var sections: [Section]
    /// Whether a field is saved when the user leaves it, rather than all fields when the user saves the form.
    var savesFields = false

    var numberOfSections: Int { sections.count }

    /// The number of rows; 1 for a dynamic section, which has only the template.
    func numberOfRows(in section: Int) -> Int? { self[section].map { $0.isDynamic ? 1 : $0.rows.count } }

    func header(of section: Int) -> String? { self[section]?.header }

    func isDynamic(_ section: Int) -> Bool? { self[section]?.isDynamic }

    /// The relationship of a dynamic section; nil for a static one.
    func dynamicKey(of section: Int) -> String? { self[section].flatMap { $0.isDynamic ? $0.rows.first?.key : nil } }

    func row(_ row: Int, in section: Int) -> Row? {
        guard let rows = self[section]?.rows, rows.indices.contains(row) else { return nil }
        return rows[row]
    }

    func className(_ row: Int, in section: Int) -> String? { self.row(row, in: section)?.className }

    func values(_ row: Int, in section: Int) -> [String]? { self.row(row, in: section)?.values }

    func key(_ row: Int, in section: Int) -> String? { self.row(row, in: section)?.key }

    func label(_ row: Int, in section: Int) -> String? { self.row(row, in: section)?.label }

    private subscript(section: Int) -> Section? { sections.indices.contains(section) ? sections[section] : nil }
}

extension DetailList {
    /// Reads a list; rows without a key or a class are left out and noted.
    init(_ name: String, list: PropertyList, problems: ListProblemCollector) {
        let root = ListNode(list, file: name, problems: problems)
        self.name = name
        savesFields = Self.savesFields(root)
        if list.dictionary == nil { root.note("the root is not a dictionary with 'sections'") }
        if root.has("paired") || root.has("rowLabels") {
            sections = PairedArrays(root).sections
        } else {
            if !root.has("sections") { root.note("there are no sections", at: "sections") }
            sections = root.nodes("sections").map(Section.init)
        }
    }

    private static func savesFields(_ root: ListNode) -> Bool {
        guard let name = root.string("saves") else { return false }
        if name != "field", name != "form" { root.note("'saves' is 'form' or 'field'", at: "saves") }
        return name == "field"
    }
}

extension DetailList.Section {
    init(_ node: ListNode) {
        header = node.string("header")
        isDynamic = node.flag("dynamic", default: false)
        displayKey = node.string("displayKey")
        sortKey = node.string("sortKey")
        addLabel = node.string("addLabel")
        isOwned = node.has("owned") ? node.flag("owned", default: false) : nil
        rows = node.nodes("rows").compactMap(DetailList.Row.init)
        if isDynamic, rows.isEmpty { node.note("a dynamic section needs a row as template", at: "rows") }
    }
}

extension DetailList.Row {
    init?(_ node: ListNode) {
        guard let key = node.string("key") else {
            node.note("the row has no key", at: "key")
            return nil
        }
        guard let className = node.string("class") else {
            node.note("the row of '\(key)' has no class", at: "class")
            return nil
        }
        self.key = key
        self.className = className
        label = node.string("label") ?? ""
        values = node.strings("values")
        value = node.string("value")
        detail = node.string("detail")
        placeholder = node.string("placeholder")
        format = node.string("format")
        emptyIsNull = node.flag("emptyIsNull", default: false)
        through = node.string("through")
    }
}
