import Foundation
import MultipeerConnectivity

/// Prints what sessions of peers cost beside OpenSSL in C, in the same run:
///
///   PeerBenchmarks [MIB [ROUND TRIPS [PEERS]]]     1024, 20000 and 32 where they are left out
@main
struct Program {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let (mebibytes, trips, peers) = (
            numbers.first ?? 1_024, numbers.dropFirst().first ?? 20_000, numbers.dropFirst(2).first ?? 32
        )
        let identity = try PeerIdentity().pem
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("peers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await Measures.roundTrips(identity, count: trips)
        try await Measures.memory(peers: peers)
        try await Measures.transfer(identity, bytes: mebibytes << 20, folder: folder)
    }
}
