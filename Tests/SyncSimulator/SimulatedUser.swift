import CoreDataSync
import TestBasics

/// A program that changes the rows of a store as Core Data lets it: delete rules are carried out, and what the model forbids is not done.
struct SimulatedUser {
    let schema: SyncSchema
    var random: SeededRandom
    var focus: SimulatedFocus?
    var portraits: PortraitUser?
    private var store = SimulatedStore()
    private var changed: [Int: StoredRow?] = [:]
    private var inserted: Set<Int> = []

    init(_ schema: SyncSchema, _ random: SeededRandom) {
        self.schema = schema
        self.random = random
    }

    /// Makes one save of a few changes and a row that is never changed again, by which a lost save is noticed.
    mutating func save(_ witness: String, _ store: inout SimulatedStore) {
        self.store = store
        changed = [:]
        inserted = []
        for _ in 0...random.next(below: 3) { change() }
        changePortrait()
        insert("Witness", ["text": .string(witness)])
        store = self.store
        store.save(changed, localChanges(before: store))
    }

    private func localChanges(before: SimulatedStore) -> [LocalChange] {
        changed.sorted { $0.key < $1.key }.compactMap { number, row in
            let object = before.object(number)
            guard let row else { return inserted.contains(number) ? nil : LocalChange(object, .delete) }
            let links = row.links.mapValues { $0.map { before.object($0) } }
            let kind: LocalChange.Kind = inserted.contains(number) ? .insert(entity: row.entity) : .update
            return LocalChange(object, kind, values: row.values, links: links)
        }
    }

    // MARK: Rows

    private func row(_ number: Int) -> StoredRow? { changed[number] ?? store.rows[number] }

    private func all(_ entity: String) -> [Int] {
        Set(store.rows.keys).union(changed.keys).sorted().filter { row($0)?.entity == entity }
    }

    private mutating func any(_ entity: String) -> Int? {
        let rows = all(entity)
        return rows.isEmpty ? nil : rows[random.next(below: rows.count)]
    }

    private mutating func update(_ number: Int, _ body: (inout StoredRow) -> Void) {
        guard var row = row(number) else { return }
        body(&row)
        changed[number] = .some(row)
    }

    @discardableResult
    private mutating func insert(_ entity: String, _ values: [String: SyncValue]) -> Int {
        let number = store.makeNumber()
        var all: [String: SyncValue] = [:]
        for attribute in schema.entity(named: entity)?.attributes ?? [] {
            all[attribute.name] = values[attribute.name] ?? .null
        }
        changed[number] = .some(StoredRow(entity: entity, values: all, links: [:]))
        inserted.insert(number)
        return number
    }

    private func isFree(_ entity: String, _ values: [String: SyncValue], except: Int? = nil) -> Bool {
        guard !values.values.contains(where: \.isNull) else { return true }
        return !all(entity).contains { number in
            number != except && values.allSatisfy { row(number)?.values[$0.key] == $0.value }
        }
    }

    // MARK: Changes

    private mutating func text(_ count: Int) -> SyncValue {
        .string("\(["a", "b", "c", "d", "e", "f"][random.next(below: count)])")
    }

    private mutating func change() {
        if let focus, random.next(below: 2) == 0 { return change(focus) }
        switch random.next(below: 24) {
        case 0, 1: insertPerson()
        case 2: insertTeam()
        case 3: insertOwned("Item", "owner", ["title": text(6)])
        case 4: insertOwned("Badge", "holder", ["number": text(6)])
        case 5: insertContract()
        case 6: insertClub()
        case 7...10: editPerson()
        case 11: editText()
        case 12, 13: joinTeam()
        case 14, 15: reorder()
        case 16: changeClub()
        case 17: moveItem()
        case 18, 19: delete()
        case 20: editKeys()
        case 21: changePartner()
        case 22: changeFriend()
        default: if schema.entity(named: "Memo") != nil { insert("Memo", ["text": text(6)]) } else { editPerson() }
        }
    }

    private mutating func change(_ focus: SimulatedFocus) {
        switch focus {
        case .clubs: changeClub()
        case .words:
            let word = text(6)
            if let person = any("Person") { update(person) { $0.values["words"] = word } } else { insertPerson() }
        case .contracts:
            let kind = random.next(below: 4)
            let value = text(6)
            guard kind > 0, let contract = any("Contract") else { return insertContract() }
            if kind == 1 { changed[contract] = .some(nil) } else { editContract(contract, value) }
        }
    }

    private mutating func insertPerson() {
        let email: SyncValue = random.next(below: 4) == 0 ? .null : text(5)
        guard isFree("Person", ["email": email]) else { return }
        let name = schema.entity(named: "Person")?.attribute(named: "name") == nil ? "fullName" : "name"
        insert("Person", [name: text(6), "email": email, "score": .int(0), "origin": text(6)])
    }

    private mutating func insertTeam() {
        let code = text(4)
        guard isFree("Team", ["code": code]) else { return }
        insert("Team", ["code": code, "title": text(6)])
    }

    private mutating func insertOwned(_ entity: String, _ name: String, _ values: [String: SyncValue]) {
        guard let owner = any("Person") else { return }
        if entity == "Badge", row(owner)?.links["badge"]?.isEmpty == false { return }
        let number = insert(entity, values)
        update(number) { $0.links[name] = [owner] }
        if entity == "Badge" { update(owner) { $0.links["badge"] = [number] } }
    }

    private mutating func insertContract() {
        let number = insert("Contract", ["text": text(6), "pages": .int(0)])
        if let team = any("Team") { update(number) { $0.links["team"] = [team] } }
    }

    private mutating func insertClub() {
        let values = ["place": text(3), "kind": text(2)]
        guard isFree("Club", values) else { return }
        insert("Club", values.merging(["motto": text(6)]) { old, _ in old })
    }

    private mutating func editPerson() {
        guard let number = any("Person") else { return }
        let kind = random.next(below: 8)
        let amount = SyncValue.int(Int64(random.next(below: 100)))
        let word = text(6)
        let name = row(number)?.values["name"] == nil ? "fullName" : "name"
        update(number) { row in
            switch kind {
            case 0: row.values["best"] = amount
            case 1:
                row.values["lowest"] = amount
                if case .int(let amount) = amount { row.values["longest"] = .string("\(amount)") }
            case 2: row.values["origin"] = word
            case 3: row.values["words"] = word
            case 4, 5:
                guard case .int(let more) = amount else { return }
                row.values["score"] = more % 10 == 0 ? .null : (row.values["score"] ?? .null).adding(amount)
            case 6: row.values["tags"] = Self.toggled(row.values["tags"], word)
            default: row.values[name] = word
            }
        }
    }

    private static func toggled(_ set: SyncValue?, _ word: SyncValue) -> SyncValue {
        guard case .array(let elements) = set else { return .array([word]) }
        if elements.contains(word) { return .array(elements.filter { $0 != word }) }
        return .array((elements + [word]).sorted { $0.encoded.lexicographicallyPrecedes($1.encoded) })
    }

    private mutating func editText() {
        let kinds = [
            ("Team", "title"), ("Item", "title"), ("Contract", "text"), ("Club", "motto"), ("Badge", "number"),
        ]
        let (entity, name) = kinds[random.next(below: kinds.count)]
        let value = text(6)
        guard let number = any(entity) else { return }
        if entity == "Contract" { return editContract(number, value) }
        update(number) { $0.values[name] = value }
    }

    private mutating func editContract(_ number: Int, _ value: SyncValue) {
        let kind = random.next(below: 3)
        let team = any("Team")
        update(number) { row in
            switch kind {
            case 0: row.values["text"] = value
            case 1:
                row.values["pages"] = (row.values["pages"] ?? .null).adding(.int(1))
            default: row.links["team"] = row.links["team"]?.isEmpty == false ? [] : team.map { [$0] } ?? []
            }
        }
    }

    private mutating func editKeys() {
        if random.next(below: 2) == 0, let number = any("Person") {
            let email = text(5)
            if isFree("Person", ["email": email], except: number) { update(number) { $0.values["email"] = email } }
        } else if let number = any("Club"), let kind = row(number)?.values["kind"] {
            let place = text(3)
            if isFree("Club", ["place": place, "kind": kind], except: number) {
                update(number) { $0.values["place"] = place }
            }
        }
    }

    private mutating func leaveTeam(_ person: Int) {
        for team in row(person)?.links["team"] ?? [] {
            update(team) { $0.links["members"]?.removeAll { $0 == person } }
        }
        update(person) { $0.links["team"] = [] }
    }

    private mutating func joinTeam() {
        guard let person = any("Person"), let team = any("Team") else { return }
        leaveTeam(person)
        guard random.next(below: 6) > 0 else { return }
        update(person) { $0.links["team"] = [team] }
        let place = random.next(below: (row(team)?.links["members"]?.count ?? 0) + 1)
        update(team) { $0.links["members", default: []].insert(person, at: place) }
    }

    private mutating func reorder() {
        guard let team = any("Team"), let members = row(team)?.links["members"], members.count > 1 else { return }
        let from = random.next(below: members.count)
        let to = random.next(below: members.count)
        update(team) { row in
            guard let member = row.links["members"]?.remove(at: from) else { return }
            row.links["members"]?.insert(member, at: to)
        }
    }

    private mutating func changeClub() {
        guard let club = any("Club"), let person = any("Person") else { return }
        update(club) { row in
            var people = row.links["people"] ?? []
            if people.contains(person) {
                people.removeAll { $0 == person }
            } else if people.count < 2 {
                people.append(person)
            }
            row.links["people"] = people
        }
    }

    private mutating func leavePartner(_ person: Int) {
        for partner in row(person)?.links["partner"] ?? [] { update(partner) { $0.links["partner"] = [] } }
        update(person) { $0.links["partner"] = [] }
    }

    private mutating func changePartner() {
        guard let one = any("Person"), let other = any("Person"), one != other else { return }
        for person in [one, other] { leavePartner(person) }
        guard random.next(below: 5) > 0 else { return }
        update(one) { $0.links["partner"] = [other] }
        update(other) { $0.links["partner"] = [one] }
    }

    private mutating func changeFriend() {
        guard let one = any("Person"), let other = any("Person"), one != other else { return }
        let areFriends = row(one)?.links["friends"]?.contains(other) ?? false
        let counts = [one, other].map { row($0)?.links["friends"]?.count ?? 0 }
        guard areFriends || counts.allSatisfy({ $0 < 3 }) else { return }
        for (person, friend) in [(one, other), (other, one)] {
            update(person) { row in
                row.links["friends", default: []].removeAll { $0 == friend }
                if !areFriends { row.links["friends", default: []].append(friend) }
            }
        }
    }

    private mutating func moveItem() {
        guard let item = any("Item"), let person = any("Person") else { return }
        update(item) { $0.links["owner"] = [person] }
    }

    private mutating func changePortrait() {
        let people = all("Person").map { (number: $0, value: row($0)?.values["portrait"]) }
        guard let change = portraits?.change(people, &store) else { return }
        update(change.number) { $0.values["portrait"] = change.value }
    }

    // MARK: Deleting

    private mutating func delete() {
        let entities = ["Person", "Team", "Item", "Contract", "Club", "Badge", "Person"]
        guard let number = any(entities[random.next(below: entities.count)]), let row = row(number) else { return }
        switch row.entity {
        case "Person": deletePerson(number)
        case "Team":
            guard !all("Contract").contains(where: { self.row($0)?.links["team"] == [number] }) else { return }
            for person in row.links["members"] ?? [] { update(person) { $0.links["team"] = [] } }
            changed[number] = .some(nil)
        case "Badge":
            for person in row.links["holder"] ?? [] { update(person) { $0.links["badge"] = [] } }
            changed[number] = .some(nil)
        default: changed[number] = .some(nil)
        }
    }

    private mutating func deletePerson(_ number: Int) {
        for item in all("Item") where row(item)?.links["owner"] == [number] { changed[item] = .some(nil) }
        for badge in row(number)?.links["badge"] ?? [] { changed[badge] = .some(nil) }
        for club in all("Club") where row(club)?.links["people"]?.contains(number) == true {
            update(club) { $0.links["people"]?.removeAll { $0 == number } }
        }
        leaveTeam(number)
        leavePartner(number)
        for friend in row(number)?.links["friends"] ?? [] {
            update(friend) { $0.links["friends"]?.removeAll { $0 == number } }
        }
        changed[number] = .some(nil)
    }
}
