internal import BoardModel
internal import BoardWire

/// What is hashed so that damage shows.
///
/// The digests of a log form a chain, each over the one before: an entry that was changed, lost or
/// moved leaves no row after it that fits.
enum LogDigest {
    /// Where the chain of a board begins.
    static func start(_ id: BoardID) -> [UInt8] {
        var digest = Digest()
        digest.update(Array(id.text.utf8))
        return digest.finish()
    }

    static func next(after previous: [UInt8], entry: Int, record: [UInt8]) -> [UInt8] {
        var digest = Digest()
        digest.update(previous)
        digest.update(entry)
        digest.update(record)
        return digest.finish()
    }

    /// Of a row of `boards`, each text with its length before it.
    static func row(id: String, title: String, icons: Int, _ log: LogHead) -> [UInt8] {
        var digest = Digest()
        for text in [id, title, log.epoch] {
            digest.update(text.utf8.count)
            digest.update(Array(text.utf8))
        }
        for number in [icons, log.revision, log.entry, log.baseEntry] { digest.update(number) }
        digest.update(log.digest)
        digest.update(log.baseDigest)
        return digest.finish()
    }

    /// Of a restore point, each text with its length before it.
    static func point(_ point: RestorePoint, _ content: [UInt8], of id: BoardID) -> [UInt8] {
        var digest = Digest()
        for text in [id.text, point.id.text, point.name] {
            digest.update(text.utf8.count)
            digest.update(Array(text.utf8))
        }
        let isAutomatic = point.isAutomatic ? 1 : 0
        for number in [point.at, point.revision, point.iconCount, isAutomatic] {
            digest.update(number)
        }
        digest.update(content)
        return digest.finish()
    }

    static func snapshot(
        _ id: BoardID, entry: Int, _ snapshot: SnapshotCodec.Encoded
    ) -> [UInt8] {
        var digest = Digest()
        digest.update(Array(id.text.utf8))
        digest.update(entry)
        digest.update(snapshot.state.count)
        digest.update(snapshot.state)
        digest.update(snapshot.limits)
        return digest.finish()
    }
}
