extension IndexPath {
    /// The place of a row in a section of a table.
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    /// The place of an item in a section of a collection.
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    /// The section; stops the process if the path has not two parts.
    public var section: Int { part(0) }

    /// The row in its section; stops the process if the path has not two parts.
    public var row: Int { part(1) }

    /// The item in its section; stops the process if the path has not two parts.
    public var item: Int { part(1) }

    private func part(_ place: Int) -> Int {
        guard count == 2 else { stop("an index path of \(count) parts has no section and row") }
        return self[place]
    }
}
