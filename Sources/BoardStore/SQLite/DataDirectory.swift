internal import Glibc

/// The directory that holds the boards: made, tried out and held against other servers.
@safe
final class DataDirectory {
    /// Without symbolic links, so that a linked directory works and a linked database is refused.
    let path: String
    private let lock: Int32
    private var isHeld: Bool

    static let databaseName = "homeboard.sqlite3"
    private static let lockName = "homeboard.lock"
    private static let probeName = "homeboard.write-test"

    /// Makes the directory where it is missing (mode 0700), takes its lock and tries whether it can
    /// be written to.
    ///
    /// Waits up to `patienceMs` for the lock: a server that was just killed holds it until the
    /// kernel has taken it apart.
    init(_ directory: String, patienceMs: Int) throws(StoreError) {
        try Self.make(directory)
        guard let real = unsafe realpath(directory, nil) else {
            throw Self.unusable("cannot find the data directory \(directory)")
        }
        path = unsafe String(cString: real)
        unsafe free(real)
        lock = try Self.takeLock(in: path, patienceMs: patienceMs)
        isHeld = true
        do {
            try Self.tryWriting(in: path)
        } catch {
            Glibc.close(lock)
            throw error
        }
    }

    /// A directory to be looked at, whoever holds it.
    init(reading directory: String) throws(StoreError) {
        guard let real = unsafe realpath(directory, nil) else {
            throw Self.unusable("cannot find the data directory \(directory)")
        }
        path = unsafe String(cString: real)
        unsafe free(real)
        (lock, isHeld) = (-1, false)
    }

    deinit {
        release()
    }

    /// Lets another server have the directory. Does nothing the second time.
    func release() {
        guard isHeld else { return }
        isHeld = false
        Glibc.close(lock)
    }

    var databasePath: String { path + "/" + Self.databaseName }

    /// Whether there is something of this name, of whatever kind.
    func contains(_ name: String) -> Bool {
        var status = stat()
        return unsafe lstat(path + "/" + name, &status) == 0
    }

    /// The size of a plain file in bytes; `nil` when it isn't there or isn't a plain file.
    func size(of name: String) -> Int? {
        var status = stat()
        guard unsafe lstat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }

    /// The bytes of a plain file; `nil` when it isn't there.
    ///
    /// Not for a file that SQLite has open: closing it here would take SQLite's locks off.
    func contents(of name: String) throws(StoreError) -> [UInt8]? {
        guard let size = size(of: name) else { return nil }
        let file = path + "/" + name
        let descriptor = unsafe open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unusable("cannot open \(file)") }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        while count < size {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor, buffer.baseAddress?.advanced(by: count), size - count,
                    off_t(count))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw Self.unusable("cannot read \(file)") }
            count += got
        }
        return bytes
    }

    /// Makes an empty file that only its owner may read; one that is left over is replaced.
    func makeEmptyFile(_ name: String) throws(StoreError) {
        let file = path + "/" + name
        unsafe unlink(file)
        let descriptor = unsafe open(
            file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unusable("cannot create \(file)") }
        Glibc.close(descriptor)
    }

    /// Makes a file of these bytes, on the disk when it returns; one that is left over is replaced.
    func write(_ bytes: [UInt8], to name: String) throws(StoreError) {
        let file = path + "/" + name
        unsafe unlink(file)
        let descriptor = unsafe open(
            file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("cannot create \(file)") }
        defer { Glibc.close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("cannot write \(file)") }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw Self.failure("cannot sync \(file)") }
    }

    func remove(_ name: String) {
        unsafe unlink(path + "/" + name)
    }

    /// Gives a file its final name and makes the name durable.
    func move(_ name: String, to newName: String) throws(StoreError) {
        guard unsafe rename(path + "/" + name, path + "/" + newName) == 0 else {
            throw Self.unusable("cannot rename \(path)/\(name)")
        }
        try Self.sync(path)
    }

    /// Syncs a file and gives it a name that nothing has.
    func settle(_ name: String, as newName: String) throws(StoreError) {
        let file = path + "/" + name
        let descriptor = unsafe open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unusable("cannot open \(file)") }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0, unsafe chmod(file, 0o600) == 0 else {
            throw Self.unusable("cannot sync \(file)")
        }
        // A link, not a renaming: that would take the place of what came in between.
        guard unsafe link(file, path + "/" + newName) == 0 else {
            throw Self.unusable("cannot make \(path)/\(newName)")
        }
        remove(name)
        try Self.sync(path)
    }

    /// Makes an empty directory beside one that is to be made, which must not hold anything.
    static func beginAnew(_ partial: String, for directory: String) throws(StoreError) {
        guard unsafe rmdir(directory) == 0 || errno == ENOENT else {
            throw unusable("\(directory) must not exist, or be empty")
        }
        guard unsafe mkdir(partial, 0o700) == 0 else {
            throw unusable("cannot make \(partial); what an interrupted restore left can go")
        }
    }

    /// Gives a directory its name.
    static func settle(_ partial: String, as directory: String) throws(StoreError) {
        guard unsafe rename(partial, directory) == 0 else {
            throw unusable("cannot rename \(partial)")
        }
        try sync(directory + "/..")
    }

    private static func sync(_ path: String) throws(StoreError) {
        let directory = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw unusable("cannot open \(path)") }
        defer { Glibc.close(directory) }
        guard fsync(directory) == 0 else { throw unusable("cannot sync \(path)") }
    }

    private static func make(_ directory: String) throws(StoreError) {
        var partial = directory.hasPrefix("/") ? "" : "."
        for part in directory.split(separator: "/") {
            partial += "/" + part
            guard unsafe mkdir(partial, 0o700) == 0 || errno == EEXIST else {
                throw unusable("cannot create the data directory \(directory)")
            }
        }
    }

    private static func takeLock(in path: String, patienceMs: Int) throws(StoreError) -> Int32 {
        let file = path + "/" + lockName
        let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unusable("cannot write in the data directory \(path)") }
        // The kernel's lock goes when its holder dies: a file left behind blocks nobody.
        var waitedMs = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK, waitedMs < patienceMs else {
                let holder = readHolder(descriptor)
                Glibc.close(descriptor)
                throw .locked(directory: path, holder: holder)
            }
            usleep(20_000)
            waitedMs += 20
        }
        let holder = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = unsafe holder.withUnsafeBytes { bytes in
            unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        return descriptor
    }

    private static func readHolder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, 0)
        }
        let digits = bytes.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return "another process" }
        return "process \(String(decoding: digits, as: UTF8.self))"
    }

    /// Says at the start, not at the first commit hours later, that nothing can be stored. A full
    /// disk is let through: it may get better, and the boards can be read meanwhile.
    private static func tryWriting(in path: String) throws(StoreError) {
        let file = path + "/" + probeName
        unsafe unlink(file)
        let descriptor = unsafe open(
            file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == ENOSPC || errno == EDQUOT { return }
            throw unusable("cannot write in the data directory \(path)")
        }
        defer {
            Glibc.close(descriptor)
            unsafe unlink(file)
        }
        let written = unsafe [UInt8](repeating: 0x2E, count: 1).withUnsafeBytes { bytes in
            unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        }
        guard written == 1, fsync(descriptor) == 0 else {
            if errno == ENOSPC || errno == EDQUOT { return }
            throw unusable("cannot write in the data directory \(path)")
        }
    }

    private static func failure(_ what: String) -> StoreError {
        let isFull = errno == ENOSPC || errno == EDQUOT
        guard case .unusable(let text) = unusable(what), isFull else { return unusable(what) }
        return .full(text)
    }

    private static func unusable(_ what: String) -> StoreError {
        let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
        return .unusable("\(what): \(reason)")
    }
}
