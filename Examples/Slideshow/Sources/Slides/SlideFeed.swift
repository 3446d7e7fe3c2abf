import CoreDataTransfer
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The links of a page of posts, `data.children[].data.url`, as far as they are pictures.
struct SlideFeed: Decodable {
    private struct Listing: Decodable { let children: [Child] }
    private struct Child: Decodable { let data: Post }
    private struct Post: Decodable { let url: String? }

    private let data: Listing

    /// How the addresses of pictures end.
    static let endings = [".png", ".jpg", ".jpeg", ".gif"]

    /// The addresses of the pictures, in the order of the posts.
    var pictures: [URL] {
        data.children.compactMap { child in
            guard let text = child.data.url, Self.endings.contains(where: { text.lowercased().hasSuffix($0) }) else {
                return nil
            }
            return URL(string: text)
        }
    }

    /// Reads the addresses of the pictures from a page of posts.
    ///
    /// - Throws: `TransferError`; `DecodingError` for a page without posts; `CancellationError`.
    static func pictures(at url: URL, by session: TransferSession = .shared) async throws -> [URL] {
        let (data, _) = try await session.data(for: URLRequest(url: url))
        return try JSONDecoder().decode(SlideFeed.self, from: data).pictures
    }
}
