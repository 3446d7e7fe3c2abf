extension Baseline {
    /// The baseline in parts of about so many bytes, each with what concerns the whole.
    func parts(of size: Int) -> [Baseline] {
        var portions: [(objects: [BaselineObject], links: [BaselineLink])] = [([], [])]
        var bytes = 0
        func makeRoom(for count: Int) {
            if bytes > 0, bytes + count > size {
                portions.append(([], []))
                bytes = 0
            }
            bytes += count
        }
        for object in objects {
            makeRoom(for: object.size)
            portions[portions.count - 1].objects.append(object)
        }
        for link in links {
            makeRoom(for: link.size)
            portions[portions.count - 1].links.append(link)
        }
        return portions.enumerated().map { index, portion in
            part(index, of: portions.count, portion.objects, portion.links)
        }
    }

    fileprivate func part(
        _ number: Int, of count: Int, _ objects: [BaselineObject], _ links: [BaselineLink]
    ) -> Baseline {
        Baseline(
            sender: sender, part: number, partCount: count, applied: applied, dependencies: dependencies, heads: heads,
            formerHeads: formerHeads, members: members, retired: retired, objects: objects, links: links)
    }
}

extension BaselineObject {
    /// How many bytes the object takes in a frame of its own.
    fileprivate var size: Int {
        ByteWriter.digested { writer in
            writer.write(id)
            writer.write(record)
        }.count
    }
}

extension BaselineLink {
    /// How many bytes the link takes in a frame of its own.
    fileprivate var size: Int { 48 + ByteWriter.digested { $0.write(tags) }.count }
}

/// The parts of a baseline that have arrived, of one sender and one time.
struct BaselineParts: Sendable {
    private var parts: [Int: Baseline] = [:]

    /// Adds a part; one of another baseline takes the place of all that are here.
    ///
    /// - Returns: The baseline if that was the last part.
    mutating func whole(with part: Baseline) -> Baseline? {
        guard part.partCount > 1 else { return part }
        if let known = parts.values.first,
            known.sender != part.sender || known.applied != part.applied || known.partCount != part.partCount
                || known.formerHeads != part.formerHeads
        {
            parts = [:]
        }
        parts[part.part] = part
        guard parts.count == part.partCount else { return nil }
        let sorted = parts.sorted { $0.key < $1.key }.map(\.value)
        parts = [:]
        return part.part(0, of: 1, sorted.flatMap(\.objects), sorted.flatMap(\.links))
    }
}
