import CoreDataSQL

extension StoreFile {
    /// Reports a row that was skipped because no entity of its table has the row's entity number; later queries on the
    /// table exclude such rows.
    func noteUnknownEntity(key: Int64, entity: Int64, passedOverIn table: String?) {
        if let table { shape.findings.noteUnknownEntityRow(in: table) }
        noteUnknownEntity(key, entity: entity, consequence: "it was passed over")
    }

    /// Reports a row whose entity number is not that of the only entity of its table; it is read as an object of that
    /// entity.
    func noteUnknownEntity(key: Int64, entity: Int64, readAs name: String?) {
        noteUnknownEntity(
            key, entity: entity, consequence: "it is read as an object of '\(name ?? "")', whose table it is")
    }

    private func noteUnknownEntity(_ key: Int64, entity: Int64, consequence: String) {
        note(
            "The row \(key) of a table has the entity number \(entity), which no object of the fetched entities can "
                + "have; \(consequence).")
    }
}
