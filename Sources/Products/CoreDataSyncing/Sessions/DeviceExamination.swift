import CoreDataSync
import Foundation

/// Looks at what surrounds a store: its clock, its mark, files of keys and room on the disks.
struct DeviceExamination {
    /// The room that is needed on a disk, in bytes.
    static let leastRoom: Int64 = 64 << 20

    /// A time before which no clock is right, in milliseconds since 1970: the beginning of 2020.
    static let earliestTime: UInt64 = 1_577_836_800_000

    let options: SyncOptions
    let environment: [String: String]

    /// The disks of the store and of a shared folder.
    func rooms(_ folders: [String]) -> [SyncFinding] {
        folders.compactMap { folder in
            guard let free = options.freeRoom(folder), free < Self.leastRoom else { return nil }
            return SyncFinding(
                .fullDisk, folder, "There are \(free) bytes free on the disk of the folder.",
                cure: "Make room: an exchange that finds none loses nothing, and does not go on.")
        }
    }

    /// The files of this user's keys.
    func keys() -> [SyncFinding] {
        guard let folder = try? PrivateFile.folderOfKeys(in: environment),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return [] }
        return names.sorted().compactMap { name in
            let path = folder.appendingPathComponent(name).path
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            guard status.st_uid != geteuid() || status.st_mode & 0o077 != 0 else { return nil }
            return SyncFinding(
                .openKeys, path, "Others than its owner may read or change the file of keys.",
                cure: "If others may have read it, revoke this device on another one; else run: chmod 600 '\(path)'.")
        }
    }

    /// The clock of the device against what the store knows of it.
    func clock(_ meta: SyncMeta, now: UInt64) -> [SyncFinding] {
        let last = meta.clock.last.milliseconds
        let lead = TransportExamination.greatestLead
        guard now < Self.earliestTime || last > now && last - now > lead else { return [] }
        let date = Date(timeIntervalSince1970: Double(now) / 1_000).formatted(.iso8601)
        return [
            SyncFinding(
                .wrongClock, meta.identity.description,
                "The clock of this device says \(date), which is before what was written with it.",
                cure: "Set the clock: what is saved here loses against what others write at the same time.")
        ]
    }

    /// The peers that were not heard of for long.
    func peers(_ peers: [SyncStatus.Peer], now: UInt64) -> [SyncFinding] {
        let present = Date(timeIntervalSince1970: Double(now) / 1_000)
        return peers.filter { !$0.isOwn && !$0.isRetired }.compactMap { peer in
            let cure = "Exchange at that peer, or let it take part no longer: 'coredata sync forget'."
            guard let seen = peer.lastSeen else {
                return SyncFinding(
                    .silentPeer, peer.identity, "Nothing was heard of peer \(peer.identity) yet.", cure: cure)
            }
            let days = Int(present.timeIntervalSince(seen) / 86_400)
            guard days >= 7 else { return nil }
            return SyncFinding(
                .silentPeer, peer.identity, "Nothing was heard of peer \(peer.identity) for \(days) days.", cure: cure)
        }
    }
}
