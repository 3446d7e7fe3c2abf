import CoreDataStore

/// Executes queries on the present tables of a store in memory.
package struct RecordQuestions {
    let setting: RecordSetting
    let tables: RecordTables

    package init(_ setting: RecordSetting, of tables: RecordTables) {
        self.setting = setting
        self.tables = tables
    }

    func fetch(_ query: FetchQuery) throws -> FetchedRows {
        try setting.checkKept(query.binding)
        let runs = try QueryRefusal.reporting {
            try RecordQuery(query, of: tables, storeIdentifier: setting.delegate.identifier).runs()
        }
        guard !query.includesValues else { return .rows(runs) }
        var addresses = AddressList()
        for run in runs {
            for index in run.range { addresses.append(run.slab.key(index), of: run.slab.binding) }
        }
        return .addresses(addresses)
    }

    func count(_ query: FetchQuery) throws -> Int {
        try setting.checkKept(query.binding)
        return try QueryRefusal.reporting {
            try RecordQuery(query, of: tables, storeIdentifier: setting.delegate.identifier).count()
        }
    }

    func values(_ query: ValueQuery) throws -> ValueTable {
        try setting.checkKept(query.binding)
        return try QueryRefusal.reporting {
            try RecordValues(query, of: tables, storeIdentifier: setting.delegate.identifier).table()
        }
    }

    // MARK: Faults

    func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        try setting.checkKept(binding)
        return RowOrder.runs(keys.compactMap { tables.row(root: binding.layout.root, key: $0) })
    }

    func members(of relationship: NSRelationshipDescription, key: Int64) -> AddressList {
        var members = AddressList()
        guard let destination = relationship.destinationEntity.flatMap(tables.model.layout(of:)) else { return members }
        for member in tables.members(of: relationship, owner: key) {
            guard let row = tables.row(root: destination.root, key: member) else { continue }
            members.append(member, of: row.slab.binding)
        }
        return members
    }

    func members(of relationship: NSRelationshipDescription, keys: [Int64]) -> MemberRows {
        guard let destination = relationship.destinationEntity.flatMap(tables.model.layout(of:)) else {
            return MemberRows()
        }
        var found = MemberRows()
        var seen: Set<Int64> = []
        var rows: [RowSnapshot] = []
        for key in keys {
            for member in tables.members(of: relationship, owner: key) {
                guard let row = tables.row(root: destination.root, key: member) else { continue }
                if seen.insert(member).inserted { rows.append(row) }
                found.pairs.append((key, member))
            }
        }
        found.rows = RowOrder.runs(rows)
        return found
    }
}
