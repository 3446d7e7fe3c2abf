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
    public var section: Int {
        get { part(0) }
        set { replace(0, with: newValue) }
    }

    /// The row in its section; stops the process if the path has not two parts.
    public var row: Int {
        get { part(1) }
        set { replace(1, with: newValue) }
    }

    /// The item in its section; stops the process if the path has not two parts.
    public var item: Int {
        get { part(1) }
        set { replace(1, with: newValue) }
    }

    private func part(_ place: Int) -> Int {
        guard count == 2 else { stop("an index path of \(count) parts has no section and row") }
        return self[place]
    }

    private mutating func replace(_ place: Int, with value: Int) {
        guard count == 2 else { stop("an index path of \(count) parts has no section and row") }
        self[place] = value
    }
}
