/// Who takes part in a group, as a function of the statements that are known: a device that knows the same has the same members.
///
/// 1. A device counts if a chain of admissions leads to it from the founder, whose statement the group's fingerprint names.
/// 2. An admission counts if its signer counts, and if each revocation of the signer by another device lists it.
/// 3. A revocation counts for good if an admission ever named its signer, even one that is revoked itself: of two devices that revoke each
///    other both are out. So no statement brings a revoked device back; it is paired again, with another key.
/// 4. Of a revoked device those items count that each revocation lists.
struct Membership: Sendable {
    /// How many statements are kept at most.
    static let greatestCount = 16_384

    let group: Fingerprint
    private(set) var statements: [Fingerprint: Statement] = [:]
    /// The devices that count, with those that were revoked later.
    private(set) var devices: [Fingerprint: DeviceIdentity] = [:]
    /// The device that admitted each of `devices`; the founder has none.
    private(set) var admitters: [Fingerprint: Fingerprint] = [:]
    /// The devices that were revoked.
    private(set) var revoked: Set<Fingerprint> = []
    /// All devices that an admission names, whether it counts or not.
    private var named: Set<Fingerprint> = []
    private var revocations: [Fingerprint: [Revocation]] = [:]

    private struct Revocation {
        let statement: Fingerprint
        let signer: Fingerprint
        let statements: Set<Fingerprint>
        let items: Set<Fingerprint>
    }

    init(group: Fingerprint, _ statements: [Statement] = []) {
        self.group = group
        add(statements)
    }

    /// Adds statements, of which some may be known; those of other groups are passed over.
    ///
    /// - Returns: Whether any was new.
    @discardableResult mutating func add(_ more: [Statement]) -> Bool {
        var isNew = false
        for one in more where one.belongs(to: group) && statements[one.identity] == nil {
            if statements.count >= Self.greatestCount { makeRoom() }
            guard statements.count < Self.greatestCount else { break }
            statements[one.identity] = one
            isNew = true
        }
        if isNew { decide() }
        return isNew
    }

    /// Drops what devices said that no admission names: they have an old key at most.
    private mutating func makeRoom() {
        decide()
        statements = statements.filter { $0.key == group || named.contains($0.value.signer) }
    }

    /// The devices that take part.
    var members: [DeviceIdentity] { devices.values.filter { isMember($0.signer) }.sorted { $0.signer < $1.signer } }

    func isMember(_ device: Fingerprint) -> Bool { devices[device] != nil && !revoked.contains(device) }

    /// The statements that are worth keeping: those of devices that an admission names.
    var kept: [Statement] {
        statements.values.filter { named.contains($0.signer) }.sorted { $0.identity < $1.identity }
    }

    /// Why an item does not count; nil if it does.
    func refusal(of item: Fingerprint, by author: Fingerprint) -> SealFailure? {
        guard devices[author] != nil else { return .unknownAuthor }
        let lists = revocations[author] ?? []
        return lists.allSatisfy { $0.items.contains(item) } ? nil : .revokedAuthor
    }

    /// The identifiers of keys of which all revocations that led to them are known here: they may be given to members.
    var understoodKeys: Set<[UInt8]> { Set(keys { devices[$0.signer] != nil }.map(\.identifier)) }

    /// The identifiers of keys that no revoked device was given; any member may seal with each. In the same order everywhere.
    var cleanKeys: [[UInt8]] {
        let needed = countedRevocations
        return keys { isMember($0.signer) }.filter { needed.isSubset(of: $0.after) }.map(\.identifier)
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The revocations of devices that counted once, which a new key lists.
    var countedRevocations: Set<Fingerprint> {
        Set(revocations.filter { devices[$0.key] != nil }.values.flatMap { $0 }.map(\.statement))
    }

    private func keys(
        where counts: (Statement) -> Bool
    ) -> [(identifier: [UInt8], after: Set<Fingerprint>)] {
        statements.values.compactMap { statement in
            guard case .key(let identifier, let after) = statement.act, counts(statement),
                after.allSatisfy({ statements[$0] != nil })
            else { return nil }
            return (identifier, after)
        }
    }

    /// The statements of a device, as its revocation lists them.
    func statements(by device: Fingerprint) -> Set<Fingerprint> {
        Set(statements.values.filter { $0.signer == device }.map(\.identity))
    }

    // MARK: Deciding

    private mutating func decide() {
        (devices, admitters, named, revoked, revocations) = ([:], [:], [], [], [:])
        guard case .founding(let founder, _)? = statements[group]?.act else { return }
        let admissions = Dictionary(
            grouping: statements.values.filter { if case .admission = $0.act { true } else { false } }, by: \.signer)
        named = Set(reached(from: founder, admissions) { _ in true }.devices.keys)
        for statement in statements.values {
            guard case .revocation(let device, let listed, let items) = statement.act, named.contains(statement.signer)
            else { continue }
            revoked.insert(device)
            revocations[device, default: []].append(
                Revocation(
                    statement: statement.identity, signer: statement.signer, statements: listed, items: items))
        }
        let counting = revocations
        (devices, admitters) = reached(from: founder, admissions) { admission in
            (counting[admission.signer] ?? []).allSatisfy {
                $0.signer == admission.signer || $0.statements.contains(admission.identity)
            }
        }
    }

    /// The devices to which admissions lead from the founder. Of several admissions of one device the one with the least identity counts.
    private func reached(
        from founder: DeviceIdentity, _ admissions: [Fingerprint: [Statement]], where counts: (Statement) -> Bool
    ) -> (devices: [Fingerprint: DeviceIdentity], admitters: [Fingerprint: Fingerprint]) {
        var found = [founder.signer: founder]
        var chosen: [Fingerprint: Statement] = [:]
        var open = [founder.signer]
        while let signer = open.popLast() {
            for statement in admissions[signer] ?? [] where counts(statement) {
                guard case .admission(let device) = statement.act, device.signer != founder.signer else { continue }
                if let other = chosen[device.signer], other.identity < statement.identity { continue }
                if chosen[device.signer] == nil { open.append(device.signer) }
                chosen[device.signer] = statement
                found[device.signer] = device
            }
        }
        return (found, chosen.mapValues(\.signer))
    }
}
