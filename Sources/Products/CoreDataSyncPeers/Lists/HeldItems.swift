import Foundation

/// The items that are in a folder, and the lists that say whose they are: the own list, and one of each other device. An item is kept as
/// long as a list has it. Not for use by two threads at once.
struct HeldItems {
    private struct Held {
        var file: ListFile
        var list: ItemList
    }

    let items: URL
    private let lists: URL
    private var own: Held
    private var others: [OwnerID: Held] = [:]
    /// In how many lists a name is.
    private var counts: [String: Int] = [:]
    /// What is in a list and not in the folder, with its size.
    private(set) var missing: [String: Int] = [:]

    /// Opens a folder, or makes it. Damaged lists of others are forgotten, and come again.
    ///
    /// - Throws: An error of the system.
    init(_ folder: URL) throws {
        items = folder.appendingPathComponent("items", isDirectory: true)
        lists = folder.appendingPathComponent("lists", isDirectory: true)
        for url in [items, lists] {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        var read: [OwnerID: Held] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: lists.path) {
            guard let owner = OwnerID(name) else { continue }
            let url = lists.appendingPathComponent(name)
            if let (file, list) = try ListFile.read(url), list.owner == owner {
                read[owner] = Held(file: file, list: list)
            } else {
                try FileManager.default.removeItem(at: url)
            }
        }
        own = try Self.own(folder, lists, &read)
        others = read
        for list in read.values.map(\.list) + [own.list] { note(list) }
        try removeUnlisted()
        try noteMissing()
    }

    /// The own list, whose owner a file names; a new one if there is none.
    private static func own(_ folder: URL, _ lists: URL, _ read: inout [OwnerID: Held]) throws -> Held {
        let url = folder.appendingPathComponent("owner")
        if let text = try? String(contentsOf: url, encoding: .utf8), let owner = OwnerID(text), let held = read[owner] {
            read[owner] = nil
            return held
        }
        return try make(ItemList(.random()), folder, lists)
    }

    /// Writes an own list, and then the name of its owner.
    private static func make(_ list: ItemList, _ folder: URL, _ lists: URL) throws -> Held {
        let file = try ListFile.create(list, at: lists.appendingPathComponent(list.owner.description))
        try Data(list.owner.description.utf8).write(to: folder.appendingPathComponent("owner"), options: .atomic)
        return Held(file: file, list: list)
    }

    // MARK: Reading

    /// The states of all lists.
    var states: [ListState] { [own.list.state] + others.values.map(\.list.state) }

    var owner: OwnerID { own.list.owner }

    func list(of owner: OwnerID) -> ItemList? { owner == own.list.owner ? own.list : others[owner]?.list }

    /// Whether the folder has an item.
    func has(_ name: String) -> Bool { counts[name] != nil && missing[name] == nil }

    /// What is to be asked for of the states that another device has: lists that are newer there, or of owners that this folder was.
    func wanted(of states: [ListState]) -> [OwnerID] {
        let former = formerOwners
        return states.filter { state in
            if state.owner == own.list.owner { return isContradicted(by: state) }
            guard !former.contains(state.owner), state.counter > 0 else { return false }
            return state.counter > (others[state.owner]?.list.counter ?? 0)
        }.map(\.owner)
    }

    /// The lists that are newer here than in the states that another device has.
    func newer(than states: [ListState]) -> [ItemList] {
        let known = Dictionary(states.map { ($0.owner, $0.counter) }, uniquingKeysWith: max)
        return ([own.list] + others.values.map(\.list)).filter { $0.counter > known[$0.owner] ?? 0 }
    }

    /// Whether a state of the own list cannot come from this folder as it is: it was copied, or put back from a backup.
    private func isContradicted(by state: ListState) -> Bool {
        state.counter > own.list.counter || (state.counter == own.list.counter && state.digest != own.list.digest)
    }

    /// The owners that other lists have taken the place of.
    private var formerOwners: Set<OwnerID> { others.values.reduce(own.list.former) { $0.union($1.list.former) } }

    // MARK: Changing

    /// Changes the own list; nil if nothing changes. The file of an item that is added is there; of one that is removed it goes.
    ///
    /// - Returns: The own owner, and the counter before.
    mutating func change(_ change: ItemList.Change) throws -> (owner: OwnerID, since: UInt64)? {
        switch change {
        case .added(let name, let size):
            guard own.list.sizes[name] != size else { return nil }
        case .removed(let name):
            guard own.list.sizes[name] != nil else { return nil }
        }
        let counter = own.list.counter
        try own.file.append([change])
        if own.list.apply(change) { note(change) }
        own.file.shorten(to: own.list)
        if case .added(let name, _) = change { missing[name] = nil }
        return (own.list.owner, counter)
    }

    /// Takes a list of another device; false if it is no newer than what is known.
    ///
    /// A list of the own owner means that this folder was copied, or put back from a backup: it goes on under a new owner, with what
    /// the other list has.
    mutating func take(_ list: ItemList) throws -> Bool {
        if list.owner == own.list.owner {
            guard isContradicted(by: list.state) else { return false }
            try begin(with: list.sizes)
            return true
        }
        guard !formerOwners.contains(list.owner), list.counter > others[list.owner]?.list.counter ?? 0,
            others[list.owner] != nil || others.count < ItemList.Limits.owners
        else { return false }
        let file = try ListFile.create(list, at: lists.appendingPathComponent(list.owner.description))
        let before = others.updateValue(Held(file: file, list: list), forKey: list.owner)
        note(list)
        if let before { forget(before.list) }
        for owner in list.former {
            if owner == own.list.owner { try begin(with: [:]) }
            guard let held = others.removeValue(forKey: owner) else { continue }
            held.file.remove()
            forget(held.list)
        }
        try noteMissing(among: list.sizes)
        return true
    }

    /// Takes changes of another device's list: true if they were taken, false if they were known, nil if the list is wanted first.
    mutating func take(_ owner: OwnerID, since counter: UInt64, _ changes: [ItemList.Change]) throws -> Bool? {
        guard owner != own.list.owner else { return isBehind(counter, changes) ? nil : false }
        guard var held = others[owner] else { return formerOwners.contains(owner) ? false : nil }
        guard held.list.counter == counter else {
            return held.list.counter < counter &+ UInt64(changes.count) ? nil : false
        }
        guard held.list.sizes.count + changes.count <= ItemList.Limits.items else { return false }
        try held.file.append(changes)
        others[owner] = nil
        for change in changes {
            if held.list.apply(change) { note(change) }
            if case .added(let name, let size) = change, !isInFolder(name) { missing[name] = size }
        }
        held.file.shorten(to: held.list)
        others[owner] = held
        return true
    }

    private func isBehind(_ counter: UInt64, _ changes: [ItemList.Change]) -> Bool {
        counter &+ UInt64(changes.count) > own.list.counter
    }

    /// Goes on under a new owner.
    private mutating func begin(with sizes: [String: Int]) throws {
        let before = own
        let all = before.list.sizes.merging(sizes) { own, _ in own }
        let former = before.list.former.union([before.list.owner])
        let list = ItemList(.random(), counter: UInt64(all.count) + 1, sizes: all, former: former)
        own = try Self.make(list, lists.deletingLastPathComponent(), lists)
        before.file.remove()
        note(list)
        forget(before.list)
        try noteMissing(among: sizes)
    }

    // MARK: Files

    /// Notes that an item has come into the folder.
    mutating func received(_ name: String) { missing[name] = nil }

    /// Whether a list has an item that the folder lacks, of this size.
    func lacks(_ name: String, size: Int) -> Bool { missing[name] == size }

    private mutating func note(_ list: ItemList) { for name in list.sizes.keys { counts[name, default: 0] += 1 } }

    private mutating func forget(_ list: ItemList) { for name in list.sizes.keys { release(name) } }

    private mutating func note(_ change: ItemList.Change) {
        switch change {
        case .added(let name, _): counts[name, default: 0] += 1
        case .removed(let name): release(name)
        }
    }

    /// A list has a name no longer; an item in no list goes.
    private mutating func release(_ name: String) {
        guard let count = counts[name] else { return }
        counts[name] = count > 1 ? count - 1 : nil
        guard count <= 1 else { return }
        missing[name] = nil
        try? FileManager.default.removeItem(at: url(name))
    }

    func url(_ name: String) -> URL { items.appendingPathComponent(name) }

    /// Files get their names when they are whole.
    private func isInFolder(_ name: String) -> Bool { FileManager.default.fileExists(atPath: url(name).path) }

    private mutating func noteMissing(among sizes: [String: Int]) throws {
        for (name, size) in sizes where counts[name] != nil && !isInFolder(name) { missing[name] = size }
    }

    private mutating func noteMissing() throws {
        for held in [own] + others.values { try noteMissing(among: held.list.sizes) }
    }

    /// Removes what a crash has left between a file and its list.
    private func removeUnlisted() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: items.path) where counts[name] == nil {
            try FileManager.default.removeItem(at: url(name))
        }
    }
}
