import CoreDataSQL

extension StoreFile {
    /// Notes a row that bears a number of no entity of its table and was passed over; further queries leave such out.
    func noteUnknownEntity(key: Int64, entity: Int64, passedOverIn table: String?) {
        if let table { shape.findings.noteUnknownEntityRow(in: table) }
        noteUnknownEntity(key, entity: entity, consequence: "it was passed over")
    }

    /// Notes a row that bears another number than the one entity of its table, as whose object it is read.
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
